import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { addressesOf, readSharedStack, type StackAddresses } from './addresses.js'
import { startStack, type Stack, type StackOptions } from './stack.js'

/**
 * Stacks that suites of a run share beside the default one. Each starts when the first suite asks for it, and stops after the
 * last suite. A suite has organizations of its own there, and neither stops a part nor reads what belongs to all.
 */
const NAMED_STACKS = {
  /** Of each organization little is taken; what waits, waits for a second. */
  'small-limits': {
    oneProcess: true,
    gateways: 2,
    environment: {
      gateway: {
        TRUSTED_PROXIES: '127.0.0.1',
        CLIENT_CERTIFICATES: 'rfc9440',
        PROJECT_KEY_HEADERS: 'Service-Project-Key,Vendor-Project-Key',
      },
    },
    constants: {
      gateway: { ORGANIZATION_COMPRESSED_BYTES_PER_DAY: 64 * 1_048_576 },
      identity: { TOKENS_PER_ORGANIZATION: 5 },
      location: { IMPORT_BYTES_PER_ORGANIZATION: 1_000_000, IMPORTS_PER_ORGANIZATION: 3 },
      management: { WEBHOOK_RETRY_DELAYS_S: [1, 1, 1, 1, 1, 1, 1, 1] },
    },
  },
  /** Positions. Each suite has access points and cells of its own in the base layer, which is common to all organizations. */
  location: {
    oneProcess: true,
    constants: { location: { LOCATION_CACHE_TTL_MS: 500, LOCATION_CACHE_CHECKED_TTL_MS: 500 } },
  },
} satisfies Readonly<Record<string, StackOptions>>

/** The name of one of the stacks. */
export type StackName = keyof typeof NAMED_STACKS

/** Starts named stacks for the workers of Jest, in the process of the global set-up. */
export class NamedStacks {
  private readonly stacks = new Map<string, Promise<Stack>>()

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param logDirectory gets a folder for each stack, with what its processes print */
  static async serve(logDirectory: string): Promise<NamedStacks> {
    const server = createServer((request, response) => {
      const name = (request.url ?? '').slice(1)
      named.addresses(name, logDirectory).then(
        (addresses) => response.end(JSON.stringify(addresses)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens on a port
    const named = new NamedStacks(server, `http://127.0.0.1:${port}`)
    return named
  }

  /**
   * Stops the stacks that were started.
   *
   * @throws where NATS has refused a service something
   */
  async stop(): Promise<void> {
    this.server.close()
    this.server.closeAllConnections()
    // One that could not start has ended itself.
    const stops = [...this.stacks.values()].map((start) =>
      start.then(
        (stack) => stack.stop(),
        () => undefined,
      ),
    )
    await Promise.allSettled(stops)
    await Promise.all(stops)
  }

  private async addresses(name: string, logDirectory: string): Promise<StackAddresses> {
    if (!(name in NAMED_STACKS)) throw new Error(`There is no stack "${name}".`)
    const options = NAMED_STACKS[name as StackName] // just looked up
    const stack = this.stacks.get(name) ?? startStack({ ...options, logDirectory: join(logDirectory, name) })
    this.stacks.set(name, stack)
    return addressesOf(await stack)
  }
}

/**
 * Returns the addresses of a named stack, which is started if no suite has asked for it.
 *
 * @throws where it cannot be started, with the reason
 */
export async function readNamedStack(name: StackName): Promise<StackAddresses> {
  const response = await fetch(`${readSharedStack().namedStacksUrl}/${name}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`The stack "${name}" could not be started: ${text}`)
  return JSON.parse(text) as StackAddresses // written by NamedStacks
}
