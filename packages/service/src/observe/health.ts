import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Logger } from './logger.js'
import type { Metrics } from './metrics.js'

/** Something a process cannot work without. */
export interface HealthCheck {
  readonly name: string
  /** Rejects where it does not work at the moment. */
  readonly check: () => Promise<unknown>
  /** Reported, but the process is ready without it as well. */
  readonly isOptional?: true
}

/** Time limit of a check, in milliseconds. */
const CHECK_TIMEOUT_MS = 2_000

/**
 * Reports the state of a process: `/livez` (restart me when this fails), `/readyz` (send me no work while this fails) and
 * `/metrics`. It answers from the very start, so that a process that waits for something can be asked what for.
 */
export class Health {
  private readonly checks = new Map<string, HealthCheck>()
  private readonly failing = new Set<string>()
  private phase: 'starting' | 'running' | 'stopping' = 'starting'
  private alive: () => boolean = () => true

  private constructor(
    private readonly server: Server,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {
    server.on('request', (request, response) => {
      const send = (status: number, body: string, type = 'application/json') => {
        response
          .writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
          .end(body)
      }
      this.answer(request.url ?? '', send).catch((error: unknown) => {
        logger.error({ err: error }, 'a question about health could not be answered')
        send(500, '{}')
      })
    })
  }

  /** Starts to answer. */
  static async serve(host: string, port: number, metrics: Metrics, logger: Logger): Promise<Health> {
    const server = createServer()
    const health = new Health(server, metrics, logger)
    server.listen(port, host)
    await once(server, 'listening')
    return health
  }

  /** Adds something that the process cannot work without, or that it should report. Replaces a check of the same name. */
  need(...checks: readonly HealthCheck[]): void {
    for (const check of checks) this.checks.set(check.name, check)
  }

  /** @param alive whether the process can recover without a restart; a connection that is being restored is no reason to restart */
  aliveWhile(alive: () => boolean): void {
    this.alive = alive
  }

  /** Work may come from now on. */
  started(): void {
    this.phase = 'running'
  }

  /** No more work from now on. */
  stopping(): void {
    this.phase = 'stopping'
  }

  /** True if the process is about to stop, and may still take work until others know. */
  get isStopping(): boolean {
    return this.phase === 'stopping'
  }

  /** @throws Error unless `/readyz` would say that the service is ready */
  async requireReady(): Promise<void> {
    if (!this.isReady(await this.states())) throw new Error('not ready')
  }

  /** Returns what `/readyz` says. */
  async report(): Promise<{ readonly ready: boolean; readonly health: Readonly<Record<string, string>> }> {
    const states = await this.states()
    return { ready: this.isReady(states), health: { phase: this.phase, ...states } }
  }

  /** Stops to answer. */
  async close(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  private async answer(
    path: string,
    send: (status: number, body: string, type?: string) => void,
  ): Promise<void> {
    switch (path) {
      case '/livez': {
        const alive = this.alive()
        send(alive ? 200 : 503, JSON.stringify({ alive }))
        break
      }
      case '/readyz': {
        const { ready, health } = await this.report()
        send(ready ? 200 : 503, JSON.stringify(health))
        break
      }
      case '/metrics':
        send(200, await this.metrics.registry.metrics(), this.metrics.registry.contentType)
        break
      default:
        send(404, '{}')
    }
  }

  private isReady(states: Readonly<Record<string, string>>): boolean {
    const needed = [...this.checks.values()].filter(({ isOptional }) => !isOptional)
    return this.phase === 'running' && needed.every(({ name }) => states[name] === 'ok')
  }

  private async states(): Promise<Record<string, string>> {
    const states = await Promise.all(
      [...this.checks.values()].map(
        async (check) => [check.name, (await this.holds(check)) ? 'ok' : 'unavailable'] as const,
      ),
    )
    return Object.fromEntries(states)
  }

  /** Logs a check when it begins to fail, with the reason, and when it holds again. */
  private async holds({ name, check }: HealthCheck): Promise<boolean> {
    try {
      await inTime(check())
      if (this.failing.delete(name)) this.logger.info({ check: name }, 'available again')
      return true
    } catch (error) {
      if (!this.failing.has(name)) this.logger.warn({ check: name, err: error }, 'unavailable')
      this.failing.add(name)
      return false
    }
  }
}

async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${String(CHECK_TIMEOUT_MS)} ms`))
    }, CHECK_TIMEOUT_MS)
  })
  try {
    await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
