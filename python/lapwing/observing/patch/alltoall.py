"""The skeleton of an all-to-all: a pipeline of smaller ones, tile by tile.

Most programs with such an exchange compute the data for all ranks at once, and need that of all at
once, as a transform of planes does. So a tile is a part of the data for each rank."""

from .site import Site
from .text import TILE, Head, Places


def tiled(site: Site, places: Places, head: Head) -> str:
    """A function that makes a tile, and uses another, while others travel."""
    number = site.number
    given = "tile.first, tile.count, ranks"
    produce = places.open(
        12,
        "produce",
        TILE,
        "write tile.out: of what rank r gets, elements from tile.first on.",
        f"{given}, tile.out.data()",
    )
    consume = places.open(
        12,
        "consume",
        TILE,
        "use tile.in: of what rank r sent, elements from tile.first on.",
        f"{given}, tile.in.data()",
        reads=True,
    )
    unused = "" if site.fortran else "[[maybe_unused]] "
    return f"""{head("")}
    const MPI_Datatype type = {places.element.mpi};
    int ranks = 0;
    MPI_Comm_size(communicator, &ranks);
    lapwing::Plan plan = plan_{number}();
    std::vector<Tile<Element>> tiles;
    for (auto message = plan.messages.begin(); message != plan.messages.end(); ++message) {{
        Tile<Element>& tile = tiles.emplace_back();
        tile.first = static_cast<std::int64_t>(message.offset() / sizeof(Element));
        tile.count = static_cast<std::int64_t>(*message / sizeof(Element));
    }}
    plan.messages = lapwing::Messages::uniform(tiles.size(), 1);  // counted in tiles
    lapwing::pipeline<Tile<Element>>(
        plan, tiles.size(),
        [&](std::uint64_t next, Tile<Element>& tile) {{
            tile.first = tiles[next].first;
            tile.count = tiles[next].count;
            tile.out.resize(static_cast<std::size_t>(tile.count * ranks));
            tile.in.resize(tile.out.size());
{produce}
        }},
        [&](Tile<Element>& tile) {{
            const auto count = static_cast<int>(tile.count);
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Ialltoall(tile.out.data(), count, type, tile.in.data(), count, type, communicator,
                          &request);
            return lapwing::MpiRequest(request, -1);
        }},
        [&]({unused}const Tile<Element>& tile) {{
{consume}
        }});
}}
"""
