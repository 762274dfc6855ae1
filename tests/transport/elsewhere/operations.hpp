#error "included for a flavour that the file `flavours` does not name"
