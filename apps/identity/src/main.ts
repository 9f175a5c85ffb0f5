import { readSettings } from '@bearing/service/settings'
import { start } from '@bearing/service/start'

start(async () => {
  const { CONFIG } = await import('./config.js')
  const { runIdentity } = await import('./run-identity.js')
  await runIdentity(readSettings(CONFIG, process.env))
})
