import 'reflect-metadata'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import * as x509 from '@peculiar/x509'

/** Variable by which Terraform says that it starts a plugin; the value is part of its specification. */
const COOKIE = {
  name: 'TF_PLUGIN_MAGIC_COOKIE',
  value: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
}
/** Versions of the handshake and of the protocol. */
const VERSIONS = '1|6'
const LIFE_MS = 30 * 24 * 3_600_000

/** Ends the server when Terraform asks for it. */
const CONTROLLER: ServiceDefinition = {
  Shutdown: {
    path: '/plugin.GRPCController/Shutdown',
    requestStream: false,
    responseStream: false,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: () => ({}),
    responseSerialize: () => Buffer.alloc(0),
    responseDeserialize: () => ({}),
  },
}

/**
 * Serves a plugin to the Terraform that has started this process, over a socket with mutual TLS, and prints where on standard output.
 *
 * @param environment of the process
 * @throws if Terraform has not started it
 */
export async function serve(
  service: ServiceDefinition,
  implementation: UntypedServiceImplementation,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  if (environment[COOKIE.name] !== COOKIE.value)
    throw new Error('This is a plugin of Terraform and OpenTofu. They start it; it cannot be started alone.')
  const { keys, certificate } = await newCertificate()
  const client = environment['PLUGIN_CLIENT_CERT'] ?? ''
  const pair = {
    private_key: Buffer.from(
      x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY'),
    ),
    cert_chain: Buffer.from(certificate.toString('pem')),
  }
  const credentials = ServerCredentials.createSsl(Buffer.from(client), [pair], true)
  const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 })
  const folder = mkdtempSync(join(tmpdir(), 'bearing-terraform-'))
  const end = (code: number) => {
    server.forceShutdown()
    rmSync(folder, { recursive: true, force: true })
    process.exit(code)
  }
  server.addService(service, implementation)
  server.addService(CONTROLLER, {
    Shutdown: (_: unknown, done: (error: null, reply: object) => void) => {
      done(null, {})
      setImmediate(end, 0)
    },
  })
  // Ctrl-C reaches the whole process group; Terraform then asks its plugins to stop.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => {
    end(0)
  })
  const at = await listen(server, folder, credentials)
  const shown = Buffer.from(certificate.rawData).toString('base64').replace(/=+$/, '')
  process.stdout.write(`${VERSIONS}|${at}|grpc|${shown}\n`)
}

async function listen(server: Server, folder: string, credentials: ServerCredentials): Promise<string> {
  const isWindows = process.platform === 'win32'
  const socket = join(folder, 'socket')
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(isWindows ? '127.0.0.1:0' : `unix:${socket}`, credentials, (error, bound) => {
      if (error) reject(error)
      else resolve(bound)
    })
  })
  return isWindows ? `tcp|127.0.0.1:${String(port)}` : `unix|${socket}`
}

/** Makes the certificate of this process. Terraform accepts no other one. */
async function newCertificate() {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { KeyUsageFlags: usage } = x509
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + LIFE_MS),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(usage.digitalSignature | usage.keyEncipherment | usage.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }]),
    ],
  })
  return { keys, certificate }
}
