import { readSettings } from '@bearing/service/settings'
import { start } from '@bearing/service/start'

start(async () => {
  const { CONFIG } = await import('./config.js')
  const { runGateway } = await import('./run-gateway.js')
  await runGateway(readSettings(CONFIG, process.env))
})
