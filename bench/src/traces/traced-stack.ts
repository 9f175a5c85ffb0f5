import { newOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { httpRequest, run, type Load } from '../load.js'
import { switched, switchTraces } from './switched.js'

const CONNECTIONS = 16
const PROCESSES = ['gateway-1', 'management']
const UNLIMITED = { REQUESTS_PER_CREDENTIAL: '1000000000', REQUESTS_PER_ORGANIZATION: '1000000000' }

/** A Bearing whose gateway and management trace or not, switched while they run. */
export class TracedStack implements AsyncDisposable {
  private constructor(
    private readonly stop: () => Promise<void>,
    private readonly folder: string,
    private readonly pids: readonly number[],
    private readonly load: Omit<Load, 'seconds'>,
  ) {}

  /**
   * @param folder of its own, in which processes say what they have done
   * @param endpoint base URL of a collector
   * @param share of requests that is traced while traces are on, as `OTEL_TRACES_SAMPLER_ARG`
   */
  static async start(folder: string, endpoint: string, share: string): Promise<TracedStack> {
    const settings = { LOG_LEVEL: 'warn', ...switched(folder, endpoint) }
    const stack = await startStack({
      postgres: 'own',
      services: ['identity', 'management'],
      gateways: 1,
      environment: {
        gateway: { ...settings, ...UNLIMITED, OTEL_TRACES_SAMPLER_ARG: share },
        identity: { LOG_LEVEL: 'warn' },
        management: settings,
      },
    })
    const { slug, token } = await newOrganization(stack)
    const headers = { Authorization: `Bearer ${token.token}` }
    const load = {
      port: Number(new URL(stack.gatewayUrls[0] ?? '').port),
      requests: [httpRequest('GET', `/api/v0/organizations/${slug}/projects`, headers)],
      connections: CONNECTIONS,
    }
    const pids = PROCESSES.map((name) => stack.part(name).pid)
    return new TracedStack(() => stack.stop(), folder, pids, load)
  }

  /** Lists projects for a while. @returns processor time of gateway and management for one request, in microseconds */
  async measure(state: 'on' | 'off', seconds: number): Promise<number> {
    const before = await switchTraces(this.folder, this.pids, state)
    const { requests, failures } = await run({ ...this.load, seconds })
    const after = await switchTraces(this.folder, this.pids, 'off')
    if (failures > 0) throw new Error(`${String(failures)} of ${String(requests)} requests failed`)
    return (after - before) / requests
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}
