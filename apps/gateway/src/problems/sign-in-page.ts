import type { OperationError } from '@bearing/contracts/errors'
import type { FastifyRequest } from 'fastify'

/** Paths that a browser opens as pages, although they answer with redirects. */
const SIGN_ON = /^\/auth\/sso(\/[^/?]+\/(start|callback))?\/?(\?|$)/

/** Returns whether a user is about to look at the reply: a browser opens a page on its way through single sign-on. */
export function isNavigationOfSignOn({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && SIGN_ON.test(url)
}

/** Returns the sign-in page that explains an error. It contains codes only: texts of a URL could be anybody's. */
export function signInPageFor({ code, details: { reason } }: OperationError, requestId: string): string {
  const query = new URLSearchParams({
    problem: code,
    ...(reason !== undefined && { reason }),
    request: requestId,
  })
  return `/sign-in?${query.toString()}`
}
