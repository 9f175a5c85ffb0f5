import { providerService } from './plugin/protocol.js'
import { serve } from './plugin/serve.js'
import { Provider } from './provider.js'

serve(providerService(), new Provider(process.env).methods(), process.env).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
