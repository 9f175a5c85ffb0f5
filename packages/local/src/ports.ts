import { createServer, type AddressInfo } from 'node:net'

/**
 * Finds a TCP port of 127.0.0.1 that nobody listens on. Somebody else may take it before the caller does; the kernel
 * hands out such ports in turn, so that is rare.
 */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Whether a TCP port can be listened on.
 *
 * @param host the address to listen on, for example `127.0.0.1`
 */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => {
      resolve(false)
    })
    server.listen({ port, host, exclusive: true }, () => {
      server.close(() => {
        resolve(true)
      })
    })
  })
}
