"""The calls that traces of DUMPI hold, by their numbers, and what is stored of each.

A line a call: its name, and what follows its times, in order. What a name stands before is kept.

    b, h, i, q    an unsigned number of 8 or 16 bits; a signed one of 32 or 64
    B, H, I       a list of them;  J: a list of lists of 32 bits
    c, C          a text; a list of texts
    s             a list of statuses, where the call has any
    @             only at the root: where `me` is `root`
    ?             not known: the call cannot be read
"""

_CALLS = """
Send count:i type:h peer:i tag:i comm:h
Recv count:i type:h peer:i tag:i comm:h status:s
Get_count status:s type:h i
Bsend count:i type:h peer:i tag:i comm:h
Ssend count:i type:h peer:i tag:i comm:h
Rsend count:i type:h peer:i tag:i comm:h
Buffer_attach i
Buffer_detach i
Isend count:i type:h peer:i tag:i comm:h request:i
Ibsend count:i type:h peer:i tag:i comm:h request:i
Issend count:i type:h peer:i tag:i comm:h request:i
Irsend count:i type:h peer:i tag:i comm:h request:i
Irecv count:i type:h peer:i tag:i comm:h request:i
Wait request:i status:s
Test request:i flag:i status:s
Request_free request:i
Waitany i requests:I index:i status:s
Testany i requests:I index:i flag:i status:s
Waitall i requests:I status:s
Testall i requests:I flag:i status:s
Waitsome i requests:I i indices:I status:s
Testsome i requests:I i indices:I status:s
Iprobe i i h i s
Probe i i h s
Cancel request:i
Test_cancelled s i
Send_init count:i type:h peer:i tag:i comm:h request:i
Bsend_init count:i type:h peer:i tag:i comm:h request:i
Ssend_init count:i type:h peer:i tag:i comm:h request:i
Rsend_init count:i type:h peer:i tag:i comm:h request:i
Recv_init count:i type:h peer:i tag:i comm:h request:i
Start request:i
Startall i requests:I
Sendrecv count:i type:h peer:i tag:i rcount:i rtype:h source:i rtag:i comm:h status:s
Sendrecv_replace count:i type:h peer:i tag:i source:i rtag:i comm:h status:s
Type_contiguous count:i old:h new:h
Type_vector count:i length:i i old:h new:h
Type_hvector count:i length:i i old:h new:h
Type_indexed i lengths:I I old:h new:h
Type_hindexed i lengths:I I old:h new:h
Type_struct i lengths:I I olds:H new:h
Address i
Type_extent h i
Type_size h i
Type_lb h i
Type_ub h i
Type_commit h
Type_free h
Get_elements status:s type:h i
Pack i h i i i h
Unpack i i i i h h
Pack_size i h h i
Barrier comm:h
Bcast count:i type:h root:i comm:h
Gather me:i count:i type:h root:i comm:h @rcount:i @rtype:h
Gatherv me:i i count:i type:h root:i comm:h @rcounts:I @I rtype:h
Scatter me:i rcount:i rtype:h root:i comm:h @count:i @type:h
Scatterv me:i i type:h rcount:i rtype:h root:i comm:h @counts:I @I
Allgather count:i type:h rcount:i rtype:h comm:h
Allgatherv i count:i type:h rcounts:I I rtype:h comm:h
Alltoall count:i type:h rcount:i rtype:h comm:h
Alltoallv i counts:I I type:h rcounts:I I rtype:h comm:h
Reduce count:i type:h b root:i comm:h
Op_create i b
Op_free b
Allreduce count:i type:h b comm:h
Reduce_scatter i rcounts:I type:h b comm:h
Scan count:i type:h b comm:h
Group_size h i
Group_rank h i
Group_translate_ranks h i I h I
Group_compare h h b
Comm_group comm:h new:h
Group_union one:h other:h new:h
Group_intersection one:h other:h new:h
Group_difference one:h other:h new:h
Group_incl one:h i ranks:I new:h
Group_excl one:h i ranks:I new:h
Group_range_incl one:h i ranges:J new:h
Group_range_excl one:h i ranges:J new:h
Group_free h
Comm_size comm:h size:i
Comm_rank h i
Comm_compare h h b
Comm_dup comm:h new:h
Comm_create comm:h group:h new:h
Comm_split comm:h color:i key:i new:h
Comm_free comm:h
Comm_test_inter h i
Comm_remote_size h i
Comm_remote_group h h
Intercomm_create comm:h i h i i new:h
Intercomm_merge comm:h i new:h
Keyval_create h
Keyval_free h
Attr_put h i
Attr_get h i i
Attr_delete h i
Topo_test h b
Cart_create comm:h i dims:I I i new:h
Dims_create i i I I
Graph_create i comm:h nodes:i I I i new:h
Graphdims_get h i i
Graph_get i i h i i I I
Cartdim_get h i
Cart_get i h i I I I
Cart_rank i h I i
Cart_coords i h i i I
Graph_neighbors_count h i i
Graph_neighbors i h i i I
Cart_shift h i i i i
Cart_sub i comm:h remain:I new:h
Cart_map h i I I i
Graph_map i h i I I i
Get_processor_name c i
Get_version i i
Errhandler_create h
Errhandler_set h h
Errhandler_get h h
Errhandler_free h
Error_string i c i
Error_class i i
Wtime
Wtick
Init C
Finalize
Initialized i
Abort h i
Pcontrol ?
Close_port c
Comm_accept c h i comm:h new:h
Comm_connect c h i comm:h new:h
Comm_disconnect comm:h
Comm_get_parent h
Comm_join i h
Comm_spawn ?
Comm_spawn_multiple ?
Lookup_name c h c
Open_port h c
Publish_name c h c
Unpublish_name c h c
Accumulate i h i i i h b h
Get i h i i i h h
Put i h i i i h h
Win_complete h
Win_create i i h h h
Win_fence b h
Win_free h
Win_get_group h h
Win_lock b i b h
Win_post h b h
Win_start h b h
Win_test h i
Win_unlock i h
Win_wait h
Alltoallw i counts:I I types:H rcounts:I I rtypes:H comm:h
Exscan count:i type:h b comm:h
Add_error_class i
Add_error_code i i
Add_error_string i c
Comm_call_errhandler h i
Comm_create_keyval h
Comm_delete_attr h h
Comm_free_keyval h
Comm_get_attr h h i
Comm_get_name h c i
Comm_set_attr h h
Comm_set_name h c
File_call_errhandler h i
Grequest_complete request:i
Grequest_start request:i
Init_thread C b b
Is_thread_main i
Query_thread b
Status_set_cancelled s i
Status_set_elements s h i
Type_create_keyval h
Type_delete_attr h h
Type_dup old:h new:h
Type_free_keyval h
Type_get_attr h h i
Type_get_contents i i i h i i i I I H
Type_get_envelope h i i i b
Type_get_name h c i
Type_set_attr h h
Type_set_name h c
Type_match_size b i h
Win_call_errhandler h i
Win_create_keyval h
Win_delete_attr h h
Win_free_keyval h
Win_get_attr h h i
Win_get_name h c i
Win_set_attr h h
Win_set_name h c
Alloc_mem i h
Comm_create_errhandler h
Comm_get_errhandler h h
Comm_set_errhandler h h
File_create_errhandler h
File_get_errhandler h h
File_set_errhandler h h
Finalized i
Free_mem
Get_address i
Info_create h
Info_delete h c
Info_dup h h
Info_free h
Info_get h c i c i
Info_get_nkeys h i
Info_get_nthkey h i c
Info_get_valuelen h c i i
Info_set h c c
Pack_external c i h i i i
Pack_external_size c i h i
Request_get_status i i s
Type_create_darray i i i I B I I b old:h new:h
Type_create_hindexed i lengths:I I old:h new:h
Type_create_hvector count:i length:i i old:h new:h
Type_create_indexed_block count:i length:i I old:h new:h
Type_create_resized old:h i i new:h
Type_create_struct i lengths:I I olds:H new:h
Type_create_subarray i I sizes:I I b old:h new:h
Type_get_extent h i i
Type_get_true_extent h i i
Unpack_external c i i i i h
Win_create_errhandler h
Win_get_errhandler h h
Win_set_errhandler h h
File_open h c b h h
File_close h
File_delete c h
File_set_size h q
File_preallocate h q
File_get_size h q
File_get_group h h
File_get_amode h b
File_set_info h h
File_get_info h h
File_set_view h q h h c h
File_get_view h q h h c
File_read_at h q i h s
File_read_at_all h q i h s
File_write_at h q i h s
File_write_at_all h q i h s
File_iread_at h q i h i
File_iwrite_at h q i h i
File_read h i h s
File_read_all h i h s
File_write h i h s
File_write_all h i h s
File_iread h i h i
File_iwrite h i h i
File_seek h q b
File_get_position h q
File_get_byte_offset h q q
File_read_shared h i h s
File_write_shared h i h s
File_iread_shared h i h i
File_iwrite_shared h i h i
File_read_ordered h i h s
File_write_ordered h i h s
File_seek_shared h q b
File_get_position_shared h q
File_read_at_all_begin h q i h
File_read_at_all_end h s
File_write_at_all_begin h q i h
File_write_at_all_end h s
File_read_all_begin h i h
File_read_all_end h s
File_write_all_begin h i h
File_write_all_end h s
File_read_ordered_begin h i h
File_read_ordered_end h s
File_write_ordered_begin h i h
File_write_ordered_end h s
File_get_type_extent h h i
Register_datarep c
File_set_atomicity h i
File_get_atomicity h i
File_sync h
MPIO_Test i i s
MPIO_Wait i s
MPIO_Testall i I i s
MPIO_Waitall i I s
MPIO_Testany i I i i s
MPIO_Waitany i I i s
MPIO_Waitsome i I i I s
MPIO_Testsome i I i I s
MPI_ALL_FUNCTIONS ?
Function_enter q
Function_exit q
"""

Field = tuple[str, str, bool]  # kind, name, whether it is there only at the root


def _fields(words: list[str]) -> tuple[Field, ...] | None:
    if words == ["?"]:
        return None
    found = []
    for word in words:
        name, _, kind = word.removeprefix("@").rpartition(":")
        found.append((kind, name, word.startswith("@")))
    return tuple(found)


# Of each call, by its number, the name and what is stored; None: not known.
CALLS: list[tuple[str, tuple[Field, ...] | None]] = [
    (line.split()[0], _fields(line.split()[1:])) for line in _CALLS.split("\n") if line
]
END = len(CALLS)  # in place of a number: no more calls

# Versions before 0.6.9 stored one number in place of the last list of these.
BEFORE_0_6_9 = {
    "Type_struct": _fields(["i", "lengths:I", "i", "olds:H", "new:h"]),
    "Cart_get": _fields(["i", "h", "i", "I", "I", "i"]),
}
