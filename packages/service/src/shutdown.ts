import type { Logger } from './logger.js'

/**
 * Stops the process in order on SIGTERM and SIGINT, and when the process that started it over an IPC channel is gone.
 *
 * @param timeoutMs after which the process ends anyway
 */
export function onShutdown(logger: Logger, timeoutMs: number, stop: () => Promise<void>): void {
  let stopping = false
  const shutdown = (reason: string) => {
    if (stopping) return
    stopping = true
    logger.info({ reason }, 'stopping')
    const timer = setTimeout(() => {
      logger.error('calls under way did not finish in time')
      process.exit(1)
    }, timeoutMs)
    stop().then(
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
