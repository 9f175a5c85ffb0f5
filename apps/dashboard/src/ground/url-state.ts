import { useNavigate, useSearch } from '@tanstack/react-router'

/** Returns the parameters of the URL's query, as texts. Anything else is left out. */
export function useQueryTexts(): Readonly<Record<string, string>> {
  const search: Record<string, unknown> = useSearch({ strict: false })
  return Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  )
}

/** Returns the state of a list in the URL, as texts, and a function that changes parts of it. Empty parts leave the URL. */
export function useUrlState<Key extends string>(
  keys: readonly Key[],
): [Readonly<Record<Key, string>>, (change: Partial<Record<Key, string>>) => void] {
  const search = useQueryTexts()
  const navigate = useNavigate()
  const state = Object.fromEntries(keys.map((key) => [key, search[key] ?? ''])) as Record<Key, string>
  return [
    state,
    (change) => {
      const next = Object.entries<string | undefined>({ ...state, ...change }).filter(([, value]) => value)
      void navigate({ to: '.', search: Object.fromEntries(next), replace: true })
    },
  ]
}
