import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '@bearing/local/child'
import { freePort } from '@bearing/local/ports'
import { startProcess } from '@bearing/local/process'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { RECEIVER_ADDRESS } from '../sinks.js'
import { storeAccessPoints } from '../access-points.js'
import { startBaseline, type Baseline } from '../baseline/start-baseline.js'
import { startNginx } from '../baseline/start-nginx.js'
import { residentBytes } from './processor-time.js'

/** Access points that are stored. */
export const STORED = 1_000_000
/** After what a new stack has done at its start. */
const IDLE_MS = 20_000
const MIB = 1024 * 1024

/** Everything that is measured, running. */
export interface Lab extends AsyncDisposable {
  readonly stack: Stack
  readonly organization: TestOrganization
  /** Ports of the ways for a request to go. */
  readonly ports: Readonly<Record<'gateway' | 'bare' | 'plain' | 'nginx', number>>
  /** Process ids of what only the bench runs. */
  readonly pids: Readonly<Record<'plain' | 'nginx' | 'auth', number>>
  /** Resident memory of each process before the first request, in MiB. */
  readonly idle: Readonly<Record<string, number>>
}

/**
 * Starts a whole Bearing with its defaults (one gateway, log level `info`), but without limits of requests, and the pipelines that
 * it is compared with.
 */
export async function openLab(say: (line: string) => void): Promise<Lab> {
  const stack = await startStack({
    postgres: 'own',
    gateways: 1,
    writeLogFiles: true,
    environment: {
      gateway: { ...INFO, REQUESTS_PER_ORGANIZATION: '1000000000', REQUESTS_OF_STRANGERS: '0' },
      identity: INFO,
      management: { ...INFO, WEBHOOK_PRIVATE_RANGES: `${RECEIVER_ADDRESS}/32` },
      location: INFO,
    },
    constants: { gateway: { REQUESTS_PER_CREDENTIAL: 1_000_000_000 } },
  })
  const running: { stop(): Promise<unknown> }[] = [stack]
  const end = async () => {
    for (const part of running.toReversed()) await part.stop()
  }
  try {
    say('waiting until all is idle')
    await sleep(IDLE_MS)
    const idle = await residentMib(stack)
    const organization = await newOrganization(stack)
    const bare = await startBaseline(stack.natsUrl)
    running.push(bare)
    const plain = await startPlain(stack, organization)
    running.push(plain)
    const nginx = await startNginx(organization.token.token, plain.port)
    running.push(nginx)
    say(`storing ${STORED.toLocaleString('en')} access points`)
    await storeAccessPoints(stack.adminDatabaseUrl, STORED)
    return {
      stack,
      organization,
      ports: {
        gateway: Number(new URL(stack.gatewayUrls[0] ?? '').port),
        bare: bare.port,
        plain: plain.port,
        nginx: nginx.port,
      },
      pids: { plain: plain.pid, nginx: nginx.pid, auth: nginx.authPid },
      idle,
      [Symbol.asyncDispose]: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

const INFO = { LOG_LEVEL: 'info' }

async function residentMib(stack: Stack): Promise<Record<string, number>> {
  const parts = { gateway: 'gateway-1', identity: 'identity', management: 'management', location: 'location' }
  const sizes = Object.entries(parts).map(async ([name, part]) => [
    name,
    (await residentBytes(stack.part(part).pid)) / MIB,
  ])
  return Object.fromEntries(await Promise.all(sizes)) as Record<string, number>
}

async function startPlain(
  stack: Stack,
  { id, project, token }: TestOrganization,
): Promise<Baseline & Pick<Child, 'pid'>> {
  const port = await freePort()
  const child = await startProcess({
    name: 'plain gateway',
    script: join(import.meta.dirname, '..', 'baseline', 'plain-gateway.js'),
    env: {
      PORT: String(port),
      NATS_URL: stack.natsUrl,
      CREDENTIAL: JSON.stringify(token.credential),
      SCOPE: JSON.stringify({ organization_id: id, project_id: project.id }),
    },
    ready: { url: `http://127.0.0.1:${String(port)}/ready` },
  })
  return { port, pid: child.pid, stop: () => child.stop() }
}
