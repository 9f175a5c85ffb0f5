import type { TestOrganization } from '@bearing/testing/factories'
import type { Stack } from '@bearing/testing/stack'

/** Lines of one round: what the bar is given for a second. */
const ITEMS = 20_000

/**
 * Reads what all devices of a project have sent, from the beginning, as a program does.
 *
 * @returns items a second of each round
 */
export async function measureChangefeed(
  stack: Stack,
  { slug, project, token }: TestOrganization,
  rounds: number,
): Promise<number[]> {
  const url = `${stack.gatewayUrls[0] ?? ''}/api/v0/organizations/${slug}/projects/${project.slug}/data`
  const read = async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token.token}` } })
    let items = 0
    const startedMs = performance.now()
    for await (const bytes of response.body ?? []) {
      for (const byte of bytes as Uint8Array) if (byte === 10) items++
      if (items >= ITEMS) break
    }
    if (items < ITEMS) throw new Error(`the project has only ${String(items)} items`)
    return items / ((performance.now() - startedMs) / 1_000)
  }
  await read()
  const measured: number[] = []
  for (let round = 0; round < rounds; round++) measured.push(await read())
  return measured
}
