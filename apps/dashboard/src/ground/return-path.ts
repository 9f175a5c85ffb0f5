import { ReturnPath } from '@bearing/contracts/identity/sso/sign-on'

/** Returns where to go after signing in: a path of our own origin, never another site. */
export function returnPathOf(text: unknown): string {
  const path = ReturnPath.safeParse(text).data ?? '/app'
  return path === '/' || path.startsWith('/sign-in') ? '/app' : path
}

/** Opens a path of the gateway as a new page, so nothing of another user stays in memory. */
export function open(path: string): void {
  window.location.assign(path)
}
