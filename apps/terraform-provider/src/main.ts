import { Provider } from './provider.js'
import { providerService } from './plugin/protocol.js'
import { serve } from './plugin/serve.js'

try {
  await serve(providerService(), new Provider(process.env).methods(), process.env)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
