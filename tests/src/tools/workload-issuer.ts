import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTHeaderParameters } from 'jose'
import { Provider } from 'oidc-provider'

/** `oidc-provider`, which publishes its metadata and keys, and tokens of workloads as platforms sign them with these keys. */
export class WorkloadIssuer implements AsyncDisposable {
  private key: JWK = {}

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(): Promise<WorkloadIssuer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens
    const issuer = new WorkloadIssuer(server, `http://127.0.0.1:${String(port)}`)
    await issuer.rotate()
    return issuer
  }

  /** Replaces the key. */
  async rotate(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    this.key = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' }
    const handle = new Provider(this.issuer, { jwks: { keys: [this.key] } }).callback()
    this.server.removeAllListeners('request')
    this.server.on('request', (request, reply) => void handle(request, reply))
  }

  /** The public keys, as an admin pastes them. */
  publicKeys() {
    const { kty = '', n, e, kid, alg } = this.key
    return { keys: [{ kty: kty as 'RSA', n, e, kid, alg }] }
  }

  /**
   * Returns a token with these claims; those that are undefined are left out.
   *
   * @param header replaces parameters
   */
  async sign(
    claims: Readonly<Record<string, unknown>>,
    header: Partial<JWTHeaderParameters> = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1_000)
    const all = { iss: this.issuer, iat: now, nbf: now, exp: now + 300, jti: randomUUID(), ...claims }
    // JSON has no undefined members.
    return new SignJWT(JSON.parse(JSON.stringify(all)) as Record<string, unknown>)
      .setProtectedHeader({ alg: 'RS256', kid: this.key.kid ?? '', typ: 'JWT', ...header })
      .sign(this.key)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** The claims of a token of GitHub Actions. */
export const GITHUB = {
  sub: 'repo:acme/firmware:ref:refs/heads/main',
  ...{ repository: 'acme/firmware', repository_id: '123456', repository_owner: 'acme' },
  ...{ repository_owner_id: '65', ref: 'refs/heads/main', ref_type: 'branch', sha: 'f00d' },
  ...{ run_id: '987', run_number: '12', workflow: 'release', actor: 'ada', event_name: 'push' },
}
/** The claims of a token of GitLab CI (`id_tokens`). */
export const GITLAB = {
  sub: 'project_path:acme/firmware:ref_type:branch:ref:main',
  ...{ namespace_id: '72', namespace_path: 'acme', project_id: '20', project_path: 'acme/firmware' },
  ...{ ref: 'main', ref_type: 'branch', pipeline_id: '574', job_id: '302', user_login: 'ada' },
}
/** The claims of a projected service-account token of Kubernetes. */
export const KUBERNETES = {
  sub: 'system:serviceaccount:fleet:nightly',
  'kubernetes.io': {
    namespace: 'fleet',
    pod: { name: 'nightly-1', uid: 'p1' },
    serviceaccount: { name: 'nightly', uid: '5f1e' },
  },
}
