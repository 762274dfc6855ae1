#pragma once

#include <cstdint>
#include <type_traits>

#include "fortran_constants.hpp"
#include "handle_number.hpp"
#include "mpi_weak.hpp"

// The arguments of MPI's routines: of each kind, its type in C (`C`), and how it is read from what
// C and Fortran pass. Fortran passes the address of everything.
namespace lapwing::observe::arguments {

/// An array of requests, in C or in Fortran.
class Handles {
  public:
    explicit Handles(const MPI_Request* requests) : first_(requests) {}
    explicit Handles(const void* requests) : first_(requests), fortran_(true) {}

    /// A number that tells the request from others; 0: none.
    [[nodiscard]] std::uint64_t operator[](std::size_t i) const {
        return number(fortran_ ? PMPI_Request_f2c(static_cast<const MPI_Fint*>(first_)[i])
                               : static_cast<const MPI_Request*>(first_)[i]);
    }
    /// The first index in the caller's language.
    [[nodiscard]] int base() const { return fortran_ ? 1 : 0; }

  private:
    static std::uint64_t number(MPI_Request request) {
        return request == MPI_REQUEST_NULL ? 0 : handle_number(request);
    }

    const void* first_;
    bool fortran_ = false;
};

/// An array of data types, one for each rank.
class Datatypes {
  public:
    explicit Datatypes(const MPI_Datatype* types) : first_(types) {}
    explicit Datatypes(const void* types) : first_(types), fortran_(true) {}
    [[nodiscard]] MPI_Datatype operator[](std::size_t i) const {
        return fortran_ ? PMPI_Type_f2c(static_cast<const MPI_Fint*>(first_)[i])
                        : static_cast<const MPI_Datatype*>(first_)[i];
    }

  private:
    const void* first_;
    bool fortran_ = false;
};

template <class Type>
struct Plain {
    using C = Type;
    static Type read(C argument) { return argument; }
    static Type read_fortran(void* argument) {
        if constexpr (std::is_pointer_v<Type>)
            return static_cast<Type>(argument);
        else
            return *static_cast<Type*>(argument);
    }
};

struct In : Plain<const void*> {};
struct Out : Plain<void*> {};
struct Number : Plain<int> {};
struct Numbers : Plain<const int*> {};
struct Result : Plain<int*> {};

/// What is sent; with MPI_IN_PLACE, it is where what arrives will be.
class Input {
  public:
    explicit Input(bool in_place) : in_place_(in_place) {}
    [[nodiscard]] bool in_place() const { return in_place_; }

  private:
    bool in_place_;
};
struct InOrInPlace {
    using C = const void*;
    static Input read(C argument) { return Input(argument == MPI_IN_PLACE); }
    static Input read_fortran(const void* argument) {
        return Input(fortran::is_in_place(argument));
    }
};

struct Type {
    using C = MPI_Datatype;
    static C read(C argument) { return argument; }
    static C read_fortran(const void* argument) {
        return PMPI_Type_f2c(*static_cast<const MPI_Fint*>(argument));
    }
};
struct Types {
    using C = const MPI_Datatype*;
    static Datatypes read(C argument) { return Datatypes(argument); }
    static Datatypes read_fortran(const void* argument) { return Datatypes(argument); }
};
struct Comm {
    using C = MPI_Comm;
    static C read(C argument) { return argument; }
    static C read_fortran(const void* argument) {
        return PMPI_Comm_f2c(*static_cast<const MPI_Fint*>(argument));
    }
};
struct Asked {
    using C = MPI_Request*;
    static Handles read(C argument) { return Handles(static_cast<const MPI_Request*>(argument)); }
    static Handles read_fortran(const void* argument) { return Handles(argument); }
};

/// The status of a receive, once it is complete.
class ReceivedStatus {
  public:
    ReceivedStatus() = default;
    explicit ReceivedStatus(const MPI_Status* status) : status_(status) {}
    explicit ReceivedStatus(const void* status) : status_(status), fortran_(true) {}
    /// Rank and tag of the sender; any, if there is no status.
    [[nodiscard]] int source() const { return has() ? read().MPI_SOURCE : MPI_ANY_SOURCE; }
    [[nodiscard]] int tag() const { return has() ? read().MPI_TAG : MPI_ANY_TAG; }

  private:
    [[nodiscard]] bool has() const {
        return status_ && status_ != static_cast<const void*>(MPI_STATUS_IGNORE) &&
               !(fortran_ && fortran::is_status_ignore(status_));
    }
    [[nodiscard]] MPI_Status read() const {
        if (!fortran_) return *static_cast<const MPI_Status*>(status_);
        MPI_Status status{};
        // SimGrid's takes no pointer to const.
        PMPI_Status_f2c(static_cast<MPI_Fint*>(const_cast<void*>(status_)), &status);
        return status;
    }

    const void* status_ = nullptr;
    bool fortran_ = false;
};
struct Received {
    using C = MPI_Status*;
    static ReceivedStatus read(C argument) {
        return ReceivedStatus(static_cast<const MPI_Status*>(argument));
    }
    static ReceivedStatus read_fortran(const void* argument) { return ReceivedStatus(argument); }
    /// The argument, or `own` if the caller wants no status.
    static C or_own(C argument, MPI_Status& own) {
        return argument == MPI_STATUS_IGNORE ? &own : argument;
    }
    static void* or_own_fortran(void* argument, MPI_Status& own) {
        return fortran::is_status_ignore(argument) ? &own : argument;
    }
};

/// An argument that is not looked at.
struct Ignored {};
template <class Type>
struct Unread {
    using C = Type;
    static Ignored read(C) { return {}; }
    static Ignored read_fortran(const void*) { return {}; }
};
struct Operator : Unread<MPI_Op> {};
struct Status : Unread<MPI_Status*> {};

}  // namespace lapwing::observe::arguments
