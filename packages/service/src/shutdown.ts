import { setTimeout as sleep } from 'node:timers/promises'
import type { Health } from './health.js'
import type { Logger } from './logger.js'
import { stopTracing } from './tracing.js'

/** How much time a stop takes, in milliseconds. */
export interface ShutdownTimes {
  /** From "no more work" on `/readyz` until work is refused, so that load balancers notice. */
  readonly SHUTDOWN_DELAY_MS: number
  /** For what is under way to finish, after which the process ends anyway. */
  readonly SHUTDOWN_TIMEOUT_MS: number
}

/**
 * Ends the process on SIGTERM and SIGINT, and when the process that started it over an IPC channel is gone, while it has not
 * started: there is nothing to finish yet. Node alone would ignore the signals as the first process of a container.
 */
export function endWhileStarting(logger: Logger, health: Health): void {
  const end = (reason: string) => {
    if (!health.isStarting) return
    logger.info({ reason }, 'stopped while starting')
    process.exit(0)
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  if (process.send)
    process.once('disconnect', () => {
      end('the parent process is gone')
    })
}

/**
 * Stops the process in order on SIGTERM and SIGINT, and when the process that started it over an IPC channel is gone.
 *
 * @param stop finishes what is under way
 */
export function onShutdown(
  logger: Logger,
  { SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS }: ShutdownTimes,
  health: Health,
  stop: () => Promise<void>,
): void {
  let stopping = false
  const shutdown = (reason: string) => {
    if (stopping) return
    stopping = true
    logger.info({ reason }, 'stopping')
    health.stopping()
    const timer = setTimeout(() => {
      logger.error('calls under way did not finish in time')
      process.exit(1)
    }, SHUTDOWN_DELAY_MS + SHUTDOWN_TIMEOUT_MS)
    const stopInOrder = async () => {
      if (SHUTDOWN_DELAY_MS > 0) await sleep(SHUTDOWN_DELAY_MS)
      await stop()
      await stopTracing()
      await health.close()
    }
    stopInOrder().then(
      () => {
        clearTimeout(timer)
        logger.info('stopped')
        process.exit(0)
      },
      (error: unknown) => {
        logger.error({ err: error }, 'could not stop in order')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', shutdown)
  process.once('SIGINT', shutdown)
  if (process.send)
    process.once('disconnect', () => {
      shutdown('the parent process is gone')
    })
}
