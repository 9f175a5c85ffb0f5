import { fork } from 'node:child_process'
import { once } from 'node:events'

/** The argument of a gateway that shares its port with others. */
export const SHARES_PORT = '--shares-port'

/**
 * Runs several gateways on one port: the kernel gives each connection to one of them. If one ends, all end, as a single gateway
 * would: whatever started it starts them again.
 *
 * @param program the file of the gateway
 * @param environments of the gateways, one for each
 * @returns whether all ended in good order
 */
export async function sharePort(
  program: string,
  environments: readonly NodeJS.ProcessEnv[],
): Promise<boolean> {
  const children = environments.map((env) => fork(program, [SHARES_PORT], { env }))
  const stop = () => {
    for (const child of children) child.kill('SIGTERM')
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (process.send) process.once('disconnect', stop)
  const ends = children.map(async (child) => {
    const [code] = (await once(child, 'exit')) as [number | null] // null after a signal
    stop()
    return code === 0
  })
  return (await Promise.all(ends)).every(Boolean)
}
