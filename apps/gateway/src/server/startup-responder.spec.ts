import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, it } from '@jest/globals'
import { respondDuringStartup } from './startup-responder.js'

it('a gateway that waits for NATS answers 503 with the security headers of every other reply', async () => {
  const placeholder = createServer().listen(0, '127.0.0.1')
  await once(placeholder, 'listening')
  const { port } = placeholder.address() as AddressInfo // of a TCP server
  placeholder.close()
  await once(placeholder, 'close')
  const options = { host: '127.0.0.1', port, publicUrl: 'https://bearing.example', requestTimeoutMs: 1_000 }
  const end = await respondDuringStartup(options)
  const { status, headers } = await fetch(`http://127.0.0.1:${String(port)}/anything`)
  await end()
  expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
})
