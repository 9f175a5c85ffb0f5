import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from '@bearing/local/child'
import { findOnPath, isExecutable, unpackFromDebian } from '@bearing/local/debian-package'
import { freePort } from '@bearing/local/ports'
import { startProcess } from '@bearing/local/process'
import { untilReady } from '@bearing/local/until-ready'
import type { Baseline } from './start-baseline.js'

/** nginx, running, and the service that it asks about tokens. */
export interface NginxBaseline extends Baseline {
  readonly pid: number
  readonly authPid: number
}

const CACHE = join(import.meta.dirname, '..', '..', '..', '.bearing', 'nginx')

/**
 * Starts what a team would build instead of a gateway: nginx with `auth_request`, which asks a small service about the
 * token of every request, in front of a service.
 *
 * @param token the one that is let in
 * @param service port that it passes requests on to
 */
export async function startNginx(token: string, service: number): Promise<NginxBaseline> {
  const ports = { service, auth: await freePort(), nginx: await freePort() }
  const auth = await startProcess({
    name: 'baseline auth',
    script: join(import.meta.dirname, 'auth.js'),
    env: { PORT: String(ports.auth), TOKEN: token },
    ready: { url: `http://127.0.0.1:${String(ports.auth)}/ready` },
  })
  const directory = await mkdtemp(join(tmpdir(), 'bearing-nginx-'))
  await mkdir(join(directory, 'logs'))
  await writeFile(join(directory, 'nginx.conf'), configuration(ports))
  const nginx = await launch({
    name: 'nginx',
    command: await findNginx(),
    args: ['-p', directory, '-c', 'nginx.conf', '-e', 'stderr'],
    env: {},
    cwd: directory,
  })
  await untilReady(nginx, 'nginx', async () => {
    const reply = await fetch(`http://127.0.0.1:${String(ports.nginx)}/ready`).catch(() => undefined)
    return reply?.ok ?? false
  })
  return {
    port: ports.nginx,
    pid: nginx.pid,
    authPid: auth.pid,
    stop: async () => {
      await Promise.all([nginx, auth].map((child) => child.stop()))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** On PATH, else unpacked from its Debian package. */
async function findNginx(): Promise<string> {
  const onPath = (await findOnPath('nginx')) ?? '/usr/sbin/nginx'
  if (await isExecutable(onPath)) return onPath
  const cached = join(CACHE, 'usr', 'sbin', 'nginx')
  if (!(await isExecutable(cached))) await unpackFromDebian(CACHE, ['nginx'])
  return cached
}

function configuration({ service, auth, nginx }: Record<'service' | 'auth' | 'nginx', number>): string {
  const proxied = 'proxy_http_version 1.1; proxy_set_header Connection "";'
  return `
daemon off;
worker_processes auto;
pid nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  keepalive_requests 100000000;
  upstream service { server 127.0.0.1:${String(service)}; keepalive 64; keepalive_requests 100000000; }
  upstream auth { server 127.0.0.1:${String(auth)}; keepalive 64; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${String(nginx)};
    location /ready { proxy_pass http://service; ${proxied} }
    location /locate { auth_request /auth; proxy_pass http://service; ${proxied} }
    location = /auth {
      internal; proxy_pass http://auth; ${proxied}
      proxy_pass_request_body off; proxy_set_header Content-Length "";
    }
  }
}
`
}
