/**
 * Cuts what is to be handled into groups, in its order.
 *
 * @param sizeOf how much one is
 * @param atMost how much a group is, unless one by itself is more
 */
export function groupsOf<T>(all: readonly T[], sizeOf: (one: T) => number, atMost: number): T[][] {
  const groups: T[][] = []
  let room = 0
  for (const one of all) {
    const group = groups.at(-1)
    if (group && sizeOf(one) <= room) group.push(one)
    else {
      groups.push([one])
      room = atMost
    }
    room -= sizeOf(one)
  }
  return groups
}
