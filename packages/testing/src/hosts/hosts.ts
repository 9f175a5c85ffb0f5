import { execFile, execFileSync } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A hardware address that nobody has. */
const NOBODY = '02:00:00:00:00:ff'

/** Namespaces of this package, by the process that made them: `bt<pid>-<name>`. */
const OURS = /^bt(\d+)-/
/** The namespace with the switch that joins the hosts. */
const SWITCH = 'switch'
const BRIDGE = 'bridge'
const NAME = /^[a-z0-9]{1,6}$/

/** A host by its name, or `own`: this process. */
type Side = string

/**
 * Hosts on one machine: network namespaces with an address each, joined by a switch, to which this process is connected too. A host
 * can be cut off without a word, as by a loss of power. Needs root: {@link whyNoHosts}.
 */
export class Hosts implements AsyncDisposable {
  private constructor(
    private readonly names: readonly string[],
    private readonly subnet: string,
  ) {}

  /**
   * @param names of one to six lower-case letters and digits, at most 200
   * @throws where the machine has no network namespaces
   */
  static async open(names: readonly string[]): Promise<Hosts> {
    for (const name of names) if (!NAME.test(name)) throw new Error(`"${name}" is no name of a host`)
    await removeLeftOver()
    const hosts = new Hosts(names, freeSubnet())
    try {
      await hosts.connect()
      return hosts
    } catch (error) {
      await hosts.close()
      throw error
    }
  }

  /** IP address at which the hosts reach this process. */
  get ownAddress(): string {
    return `${this.subnet}.254`
  }

  /** IP address of a host. */
  addressOf(name: string): string {
    return `${this.subnet}.${String(this.numberOf(name))}`
  }

  /** The namespace of a host, for `network` of `Launch`. */
  networkOf(name: string): string {
    this.numberOf(name)
    return namespace(name)
  }

  /** Cuts a host off: nothing reaches it or leaves it, and nobody is notified. Its processes continue. */
  async cut(name: string): Promise<void> {
    await this.setLink(name, 'down')
  }

  /** Connects a host again. */
  async restore(name: string): Promise<void> {
    await this.setLink(name, 'up')
  }

  /** Cuts two groups of hosts off from each other, in both directions and without a word, as when the link between two zones is lost. */
  async split(some: readonly Side[], others: readonly Side[]): Promise<void> {
    await this.betweenAll(some, others, (at, of) => [
      ...['neighbor', 'replace', this.sideAddress(of), 'lladdr', NOBODY, 'nud', 'permanent'],
      ...['dev', this.linkOf(at)],
    ])
  }

  /** Undoes {@link split}. */
  async join(some: readonly Side[], others: readonly Side[]): Promise<void> {
    await this.betweenAll(some, others, (at, of) => [
      ...['neighbor', 'delete', this.sideAddress(of), 'dev', this.linkOf(at)],
    ])
  }

  /** Removes the hosts. Stop their processes first. */
  async close(): Promise<void> {
    for (const name of [...this.names, SWITCH]) await removeNamespace(namespace(name))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  private async connect(): Promise<void> {
    const lan = namespace(SWITCH)
    await ip('netns', 'add', lan)
    await ip('-n', lan, 'link', 'add', BRIDGE, 'type', 'bridge')
    await ip('-n', lan, 'link', 'set', BRIDGE, 'up')
    for (const name of this.names) {
      await ip('netns', 'add', namespace(name))
      await this.plugIn(name, namespace(name), 'eth0', this.addressOf(name))
      await ip('-n', namespace(name), 'link', 'set', 'lo', 'up')
    }
    await this.plugIn('own', undefined, ownLink(), this.ownAddress)
  }

  /** @param network where the other end of the cable is: a namespace, or that of this process */
  private async plugIn(plug: string, network: string | undefined, link: string, address: string) {
    const lan = namespace(SWITCH)
    const there = network === undefined ? [] : ['-n', network]
    // The end is named when it is where it belongs: there may be another one of that name here.
    const ends = ['link', 'add', plug, 'type', 'veth', 'peer', 'name', link]
    await ip(
      '-n',
      lan,
      ...ends,
      ...(network === undefined ? ['netns', String(process.pid)] : ['netns', network]),
    )
    await ip('-n', lan, 'link', 'set', plug, 'master', BRIDGE, 'up')
    await ip(...there, 'address', 'add', `${address}/24`, 'dev', link)
    await ip(...there, 'link', 'set', link, 'up')
  }

  private async betweenAll(
    some: readonly Side[],
    others: readonly Side[],
    command: (at: Side, of: Side) => readonly string[],
  ): Promise<void> {
    const pairs = some.flatMap((one) => others.map((other) => [one, other] as const))
    for (const [one, other] of pairs)
      for (const [at, of] of [
        [one, other],
        [other, one],
      ] as const)
        await ip(...(at === 'own' ? [] : ['-n', namespace(at)]), ...command(at, of))
  }

  private sideAddress(side: Side): string {
    return side === 'own' ? this.ownAddress : this.addressOf(side)
  }

  private linkOf(side: Side): string {
    return side === 'own' ? ownLink() : 'eth0'
  }

  private async setLink(name: string, state: 'up' | 'down'): Promise<void> {
    this.numberOf(name)
    await ip('-n', namespace(SWITCH), 'link', 'set', name, state)
  }

  private numberOf(name: string): number {
    const index = this.names.indexOf(name)
    if (index === -1) throw new Error(`There is no host "${name}", only ${this.names.join(', ')}.`)
    return index + 1
  }
}

/** @returns why this machine has no {@link Hosts}; undefined if it has */
export function whyNoHosts(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can make network namespaces'
  const name = `bt${String(process.pid)}-try`
  try {
    execFileSync('ip', ['netns', 'add', name], { stdio: 'ignore' })
    execFileSync('ip', ['netns', 'delete', name], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'no network namespaces here (`ip netns` of iproute2)'
  }
}

async function ip(...args: string[]): Promise<string> {
  return (await run('ip', args)).stdout
}

function namespace(name: string): string {
  return `bt${String(process.pid)}-${name}`
}

function ownLink(): string {
  return `bt${String(process.pid)}`
}

async function removeNamespace(name: string): Promise<void> {
  await ip('netns', 'delete', name).catch(() => undefined)
}

/** Removes what test runs that were killed have left. */
async function removeLeftOver(): Promise<void> {
  for (const line of (await ip('netns', 'list')).split('\n')) {
    const [name = ''] = line.split(' ')
    const [, pid] = OURS.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) await removeNamespace(name)
  }
}

/** Returns true if a process with this id runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Returns the first three numbers of a private network that this machine is not in. */
function freeSubnet(): string {
  const used = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  for (;;) {
    const subnet = `10.${String(200 + (process.pid % 50))}.${String(Math.floor(Math.random() * 256))}`
    if (!used.some(({ address }) => address.startsWith(`${subnet}.`))) return subnet
  }
}
