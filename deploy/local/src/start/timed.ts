/**
 * Says how long a phase of the start took, in one line.
 *
 * @param work may note what it did
 */
export async function timed<Result>(
  say: (line: string) => void,
  what: string,
  work: (note: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  const from = performance.now()
  let noted = ''
  const result = await work((text) => (noted = `   ${text}`))
  say(`  ✓ ${what.padEnd(11)}${((performance.now() - from) / 1000).toFixed(1).padStart(5)} s${noted}`)
  return result
}
