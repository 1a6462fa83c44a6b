"""Kernels that check the operands and results of updates of a loop nest."""

from dags._numba import kernel


@kernel
def reads_all(indptr, indices, updates, values):
    """Return whether each update (u,) reads the vertex of values (u,), but where that is -1 or -2.

    indptr, indices: predecessor CSR.
    """
    for i in range(updates.size):
        if values[i] == -1 or values[i] == -2:
            continue
        equal = False
        for e in range(indptr[updates[i]], indptr[updates[i] + 1]):
            if indices[e] == values[i]:
                equal = True
        if not equal:
            return False
    return True


@kernel
def determines(keys, images, image):
    """Return whether equal keys have equal images, and none another than `image` has.

    keys, images (u,) from 0 on; image (largest key + 1,) has the images known so far, or -1.
    """
    for i in range(keys.size):
        if keys[i] < 0:
            continue
        known = image[keys[i]]
        if known < 0:
            image[keys[i]] = images[i]
        elif known != images[i]:
            return False
    return True


@kernel
def none_twice(values, seen):
    """Return whether no value is there twice; seen (largest value + 1,) bool is False before."""
    for i in range(values.size):
        if seen[values[i]]:
            return False
        seen[values[i]] = True
    return True


@kernel
def mark_births(values, items, of_update, born):
    """Mark in born (n,) the vertices of values (u,) read as items which they do not update.

    items (u,): the item as which each is read; of_update (n,): the item of each update, -1 for
    vertices that are none.
    """
    for i in range(values.size):
        if values[i] >= 0 and of_update[values[i]] != items[i]:
            born[values[i]] = True


@kernel
def goes_on(indptr, indices, label, ends):
    """Return whether each labelled vertex is computed, and in `ends` or read by one of its label.

    indptr, indices: predecessor CSR; label (n,), -1 for none; ends (n,) bool is written over.
    """
    n = indptr.size - 1
    for v in range(n):
        for e in range(indptr[v], indptr[v + 1]):
            if label[indices[e]] == label[v]:
                ends[indices[e]] = True
    for v in range(n):
        if label[v] >= 0 and (not ends[v] or indptr[v] == indptr[v + 1]):
            return False
    return True


@kernel
def comes_in(indptr, indices, label):
    """Return whether each labelled vertex is an input or reads one of its label."""
    for v in range(indptr.size - 1):
        if label[v] < 0 or indptr[v] == indptr[v + 1]:
            continue
        enters = False
        for e in range(indptr[v], indptr[v + 1]):
            if label[indices[e]] == label[v]:
                enters = True
        if not enters:
            return False
    return True


@kernel
def find_operands(indptr, indices, made_by, points, updates, maker, loops, offsets, operands):
    """Write into found (u,), where it is -1, the operand that `maker` made at the given point.

    indptr, indices: predecessor CSR; made_by (n,), points (n, d): the origin; updates (u,);
    loops, offsets (k,): coordinate r of the operand is coordinate loops[r] of the update, 0 if
    that is -1, plus offsets[r].
    """
    for i in range(updates.size):
        if operands[i] != -1:
            continue
        u = updates[i]
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if made_by[v] != maker:
                continue
            fits = True
            for r in range(loops.size):
                expected = offsets[r]
                if loops[r] >= 0:
                    expected += points[u, loops[r]]
                fits &= points[v, r] == expected
            if fits:
                operands[i] = v
                break


@kernel
def mark_owned(values, array, owner, owned):
    """Mark in taken (u,) the values (u,) of other arrays, and make the rest this array's.

    owner (n,): the array of which a vertex is read, -1 for none.
    """
    for i in range(values.size):
        if values[i] < 0:
            continue
        if owner[values[i]] < 0:
            owner[values[i]] = array
        if owner[values[i]] != array:
            owned[i] = True


@kernel
def meet(values, places, point, met):
    """Return how many of the operands (u,) do not have the points (u,) where they should be.

    point (n,): the point of each vertex, -1 if it has none yet: then it is where it is met. Marks
    in met (n,) those that are where they should be.
    """
    unsound = 0
    for i in range(values.size):
        v = values[i]
        if v >= 0 and point[v] == -1:
            point[v] = places[i]
        if v >= 0 and point[v] == places[i]:
            met[v] = True
        else:
            unsound += 1
    return unsound


@kernel
def follow(before, label):
    """Give each vertex without a label, -1, that of the vertex before it, -1 for none.

    before, label (n,); a vertex comes after the one before it.
    """
    for v in range(label.size):
        if label[v] == -1 and before[v] >= 0:
            label[v] = label[before[v]]


@kernel
def least_operands(cost, corners, copies, depth, table):
    """Write into table [c, A] the least sum of cost over layers of up to copies * c updates.

    cost (A + 1,): of a layer by its updates, never falling; corners: rising sizes of layers, so
    that any other one costs as much as the next of them; depth: layers at most. The table (A + 1,
    A + 1) is large before, and stays so where no set has so many updates.
    """
    size = cost.size - 1
    table[:, 0] = 0
    for c in range(1, size + 1):
        widest = min(copies * c, size)
        for total in range(1, size + 1):
            if total > copies * c * depth:
                break
            best = table[c, max(0, total - widest)] + cost[widest]
            for e in range(corners.size):
                if corners[e] > widest:
                    break
                best = min(best, table[c, max(0, total - corners[e])] + cost[corners[e]])
            table[c, total] = best


@kernel
def least_linked(prices, other_prices, linked, far, cost, costs):
    """Write into least [A] the least cost of sets of A updates with links; see `linked_items`.

    prices (3,): of an operand, a base item, a link; others, linked: the most operands of a layer,
    of both arrays. Before, cost [A, D] is the price of D base items for A = 0, and far otherwise;
    least (A + 1,) is 0 for A = 0, and far otherwise.
    """
    size = costs.size - 1
    operand, entry, link = prices
    for total in range(size):
        for room in range(1, size + 1):
            before = cost[total, room]
            if before >= far:
                continue
            top = min(room, size - total)
            for s in range(1, min(top, linked) + 1):
                for r in range(1, min(other_prices, (top + s - 1) // s) + 1):
                    total_here = total + min(r * s, top)
                    spent = before + operand * (r + s)
                    costs[total_here] = min(costs[total_here], spent)
                    for m in range(s + 1):
                        wider = min(size, room + m)
                        paid_now = spent + (entry - link) * m
                        cost[total_here, wider] = min(cost[total_here, wider], paid_now)


@kernel
def follow_readers(indptr, indices, updates, items, first, second):
    """Keep, for each vertex, the items that all updates which read it have in common.

    indptr, indices: predecessor CSR; updates (u,); items (roles, u), one role or two; first, second
    (n,): -1 before; afterwards -1 of vertices that no update reads, -2 where there is none.
    """
    roles = items.shape[0]
    for i in range(updates.size):
        one, last = items[0, i], items[roles - 1, i]
        for e in range(indptr[updates[i]], indptr[updates[i] + 1]):
            v = indices[e]
            if first[v] == -1 and second[v] == -1:
                first[v] = one
                second[v] = last if last != one else -2
                continue
            if first[v] != one and first[v] != last:
                first[v] = -2
            if second[v] != one and second[v] != last:
                second[v] = -2


@kernel
def join_touching(indptr, indices, updates, items, item, makers, parent, touches):
    """Join the updates that touch each value of an array; return whether no join is one too many.

    indptr, indices: predecessor CSR; updates (u,); items (roles, u); item (n,): that of each
    value, -1 for none; made (n,): the number of the update that makes the value of its own item,
    or -1; parent (roles * u,): each its own number before; touches (n,): 0 before, then updates
    that touch the value.
    """
    roles, count = items.shape
    begin = makers.copy()
    for v in range(makers.size):
        if item[v] >= 0 and makers[v] >= 0:
            touches[v] = 1
            role = 0 if items[0, makers[v]] == item[v] else roles - 1
            begin[v] = role * count + makers[v]
    for i in range(updates.size):
        for e in range(indptr[updates[i]], indptr[updates[i] + 1]):
            v = indices[e]
            if item[v] < 0:
                continue
            role = 0 if items[0, i] == item[v] else roles - 1
            if touches[v] == 0:
                begin[v] = role * count + i
            else:
                first_root, second_root = begin[v], role * count + i
                while parent[first_root] != first_root:
                    parent[first_root] = parent[parent[first_root]]
                    first_root = parent[first_root]
                while parent[second_root] != second_root:
                    parent[second_root] = parent[parent[second_root]]
                    second_root = parent[second_root]
                if first_root == second_root:
                    return False
                parent[second_root] = first_root
            touches[v] += 1
    return True
