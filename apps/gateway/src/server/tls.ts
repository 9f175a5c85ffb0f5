import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import type { Server } from 'node:https'
import { constants } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { Logger } from '@bearing/service/observe/logger'

/** Interval between checks of the files, in milliseconds. */
const LOOK_MS = 5_000
/** Time that a client may take for the TLS handshake, in milliseconds. */
const HANDSHAKE_MS = 10_000

/** Paths of PEM files. */
export interface TlsFiles {
  /** The certificate, followed by the ones that lead to its authority. */
  readonly cert: string
  readonly key: string
  /** True if clients are asked for certificates. Identity verifies them. */
  readonly asksForCertificates: boolean
}

/**
 * Reads what the gateway ends TLS with.
 *
 * @throws if a file cannot be read, or they do not belong together
 */
export function readTls({ cert, key, asksForCertificates }: TlsFiles) {
  const options = {
    ...{ cert: readFileSync(cert), key: readFileSync(key) },
    ...({ minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS } as const),
    // A session that is resumed has lost the certificates that lead to the CA.
    ...(asksForCertificates && {
      ...{ requestCert: true, rejectUnauthorized: false },
      secureOptions: constants.SSL_OP_NO_TICKET,
    }),
  }
  createSecureContext(options)
  return options
}

/**
 * Uses new files as soon as they are there: connections that are open keep theirs. Files that cannot be used change nothing.
 *
 * @returns ends it
 */
export function followTls(
  server: Pick<Server, 'setSecureContext'>,
  files: TlsFiles,
  logger: Logger,
): () => void {
  const read = () => {
    try {
      server.setSecureContext(readTls(files))
      logger.info('the certificate of the gateway was read again')
    } catch (error) {
      logger.error(
        { err: error },
        'the certificate of the gateway cannot be read again: the one before stays',
      )
    }
  }
  const paths = [files.cert, files.key]
  for (const path of paths) watchFile(path, { interval: LOOK_MS }, read)
  return () => {
    for (const path of paths) unwatchFile(path, read)
  }
}
