import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child.js'
import { printed } from './process.js'

const START_MS = 120_000
const POLL_MS = 20

/**
 * Waits for a server that has just been started.
 *
 * @param isReady asks it; does not reject
 * @throws where it ends or takes longer than two minutes, with what it printed; then it is gone
 */
export async function untilReady(child: Child, name: string, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + START_MS
  let ended = false
  void child.exited.then(() => {
    ended = true
  })
  const hasEnded = () => ended
  while (!hasEnded() && Date.now() < deadline) {
    if (await isReady()) return
    await sleep(POLL_MS)
  }
  await child.kill()
  throw new Error(`${name} did not start.${printed(child)}`)
}
