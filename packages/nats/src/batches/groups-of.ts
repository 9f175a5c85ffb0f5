/**
 * Cuts a list into groups, in its order.
 *
 * @param sizeOf the size of one item
 * @param atMost the size of a group, unless a single item is larger
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
