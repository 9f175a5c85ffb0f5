import { setTimeout as sleep } from 'node:timers/promises'
import type { HostStack } from '@bearing/testing/hosts/host-stack'

/** Interval at which it asks each gateway whether it is ready, in milliseconds. */
const PROBE_MS = 250

/** Chooses a gateway for each request, as a load balancer in front of them does: by turns, those that say that they are ready. */
export class LoadBalancer {
  private ready: readonly string[] = []
  private turn = 0
  private isOver = false
  private readonly watching: Promise<void>

  constructor(private readonly stack: HostStack) {
    this.ready = stack.gatewayUrls
    this.watching = this.watch()
  }

  /** URL of the gateway whose turn it is. */
  next(): string {
    const [first = ''] = this.ready
    return this.ready[this.turn++ % this.ready.length] ?? first
  }

  async stop(): Promise<void> {
    this.isOver = true
    await this.watching
  }

  private async watch(): Promise<void> {
    while (!this.isOver) {
      const gateways = this.stack.placements.filter(({ process }) => process === 'gateway')
      const asked = gateways.map(async ({ host }) => {
        const isReady = await this.stack.ask('gateway', host, '/readyz').then(
          (reply) => reply.ok,
          () => false,
        )
        return { host, isReady }
      })
      const hosts = (await Promise.all(asked)).filter(({ isReady }) => isReady).map(({ host }) => host)
      const urls = this.stack.gatewayUrls
      const ready = urls.filter((url) =>
        hosts.some((host) => url.includes(`//${this.stack.hosts.addressOf(host)}:`)),
      )
      // If none is ready, any may answer.
      this.ready = ready.length > 0 ? ready : urls
      await sleep(PROBE_MS)
    }
  }
}
