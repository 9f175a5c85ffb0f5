import { readSettings } from '@bearing/service/settings'
import { start } from '@bearing/service/start'

start(async () => {
  const { CONFIG } = await import('./config.js')
  const { runLocation } = await import('./run-location.js')
  await runLocation(readSettings(CONFIG, process.env))
})
