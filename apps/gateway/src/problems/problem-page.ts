import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Problem } from './problem.js'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem}small{opacity:.75}code{overflow-wrap:anywhere}'
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The headers of a page that describes an error. */
export const PROBLEM_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  vary: 'accept',
} as const

/** Returns whether a browser opens the path as a page: it lists HTML, which programs do not. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  const { accept = '' } = headers
  return (
    method === 'GET' &&
    accept.split(',').some((part) => /^\s*text\/html\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/.test(part))
  )
}

/** Returns a problem document as a page. */
export function problemPage(
  { title, detail, code, request_id, type }: Problem,
  hasDashboard: boolean,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escaped(title)} · Bearing</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(detail)}</p>
<p>${hasDashboard ? '<a href="/app">Dashboard</a> · ' : ''}<a href="/docs">Documentation</a> · <a href="${escaped(type)}">${escaped(code)}</a></p>
<p><small>Request <code>${escaped(request_id)}</code></small></p>
</main>
</body>
</html>
`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
}
