import { readSettings } from '@bearing/service/ground/settings'
import { start } from '@bearing/service/run/start'
import { CONFIG, CONSTANTS } from './config.js'
import { runGateway } from './run-gateway.js'
import { sharePort, SHARES_PORT } from './server/share-port.js'

start(async () => {
  const settings = readSettings(CONFIG, process.env, CONSTANTS)
  const { GATEWAY_PROCESSES: processes, HEALTH_PORT: firstHealthPort } = settings
  const isShared = process.argv.includes(SHARES_PORT)
  if (isShared || processes === 1) {
    await runGateway(settings, { isShared })
    return
  }
  const environments = Array.from({ length: processes }, (_, index) => ({
    ...process.env,
    HEALTH_PORT: String(firstHealthPort + index),
  }))
  process.exit((await sharePort(import.meta.filename, environments)) ? 0 : 1)
})
