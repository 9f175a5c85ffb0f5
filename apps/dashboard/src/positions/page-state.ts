/** State of the page in the URL. */
export const STATE = [
  'since',
  'method',
  'q',
  'until',
  'circle',
  'own',
  'device',
  'floor',
  'box',
  'page',
] as const
export type State = Readonly<Record<(typeof STATE)[number], string>>
