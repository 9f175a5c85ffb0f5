import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from '@bearing/local/child'
import { findOnPath, isExecutable, unpackFromDebian } from '@bearing/local/debian-package'
import { freePort } from '@bearing/local/ports'
import { startProcess } from '@bearing/local/process'
import { untilReady } from '@bearing/local/until-ready'
import type { Baseline } from './start-baseline.js'

const CACHE = join(import.meta.dirname, '..', '..', '..', '.bearing', 'nginx')

/**
 * Starts what a team would build instead of a gateway: nginx with `auth_request`, which asks a small service about the
 * token of every request, in front of an echo.
 *
 * @param token the one that is let in
 */
export async function startNginx(token: string): Promise<Baseline> {
  const ports = { plain: await freePort(), auth: await freePort(), nginx: await freePort() }
  const children = await Promise.all(
    (['plain', 'auth'] as const).map((name) =>
      startProcess({
        name: `baseline ${name}`,
        script: join(import.meta.dirname, `${name}.js`),
        env: { PORT: String(ports[name]), TOKEN: token },
        ready: { url: `http://127.0.0.1:${String(ports[name])}/ready` },
      }),
    ),
  )
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
    stop: async () => {
      await Promise.all([nginx, ...children].map((child) => child.stop()))
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

function configuration({ plain, auth, nginx }: Record<'plain' | 'auth' | 'nginx', number>): string {
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
  upstream plain { server 127.0.0.1:${String(plain)}; keepalive 64; keepalive_requests 100000000; }
  upstream auth { server 127.0.0.1:${String(auth)}; keepalive 64; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${String(nginx)};
    location /ready { proxy_pass http://plain; ${proxied} }
    location /echo { auth_request /auth; proxy_pass http://plain; ${proxied} }
    location = /auth {
      internal; proxy_pass http://auth; ${proxied}
      proxy_pass_request_body off; proxy_set_header Content-Length "";
    }
  }
}
`
}
