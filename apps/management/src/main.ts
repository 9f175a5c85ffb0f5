import { readSettings } from '@bearing/service/settings'
import { start } from '@bearing/service/start'

start(async () => {
  const { CONFIG } = await import('./config.js')
  const { runManagement } = await import('./run-management.js')
  await runManagement(readSettings(CONFIG, process.env))
})
