import { setTimeout as sleep } from 'node:timers/promises'
import type { Health } from '../observe/health.js'
import type { Logger } from '../observe/logger.js'
import { stopTracing } from '../observe/tracing.js'

/** Durations of a shutdown, in milliseconds. */
export interface ShutdownTimes {
  /** From "no more work" on `/readyz` until work is refused, so that load balancers notice. */
  readonly SHUTDOWN_DELAY_MS: number
  /** For work under way to finish, after which the process ends anyway. */
  readonly SHUTDOWN_TIMEOUT_MS: number
}

/** A service that has started in this process. */
interface Started {
  readonly logger: Logger
  readonly health: Health
  readonly times: ShutdownTimes
  readonly stop: () => Promise<void>
}

const started: Started[] = []
let watching = false

/**
 * Ends the process on SIGTERM and SIGINT, and when the process that started it over an IPC channel is gone: immediately while
 * nothing has started, otherwise as {@link onShutdown} says. Node alone would ignore the signals as the first process of a
 * container.
 *
 * @param logger says so, if nothing has started
 */
export function endOnSignal(logger: Logger): void {
  if (watching) return
  watching = true
  let ending = false
  const end = (reason: string) => {
    if (ending) return
    ending = true
    if (started.length > 0) void stopAll(reason)
    else {
      logger.info({ reason }, 'stopped while starting')
      process.exit(0)
    }
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  if (process.send)
    process.once('disconnect', () => {
      end('the parent process is gone')
    })
}

/**
 * Stops a service in order when the process is to end. Where a process has several, the one that started last stops first.
 *
 * @param stop finishes what is under way
 */
export function onShutdown(
  logger: Logger,
  times: ShutdownTimes,
  health: Health,
  stop: () => Promise<void>,
): void {
  started.push({ logger, times, health, stop })
}

async function stopAll(reason: string): Promise<void> {
  const delayMs = Math.max(...started.map(({ times }) => times.SHUTDOWN_DELAY_MS))
  const timeoutMs = Math.max(...started.map(({ times }) => times.SHUTDOWN_TIMEOUT_MS))
  for (const { logger, health } of started) {
    logger.info({ reason }, 'stopping')
    health.stopping()
  }
  let stopping = started.at(-1)
  setTimeout(() => {
    stopping?.logger.error('calls under way did not finish in time')
    process.exit(1)
  }, delayMs + timeoutMs)
  try {
    if (delayMs > 0) await sleep(delayMs)
    for (stopping of started.toReversed()) await stopping.stop()
    await stopTracing()
    for (const { health, logger } of started.toReversed()) {
      await health.close()
      logger.info('stopped')
    }
    process.exit(0)
  } catch (error) {
    stopping?.logger.error({ err: error }, 'could not stop in order')
    process.exit(1)
  }
}
