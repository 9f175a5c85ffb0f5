const PATHS = {
  down: 'M4 6l4 4 4-4',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  check: 'M3 8.5l3.2 3.2L13 5',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3l3.4 3.4',
  out: 'M6.5 3h-4v10h4M9.5 5l3 3-3 3M12.5 8H6',
} as const

/** A line drawing of 16 px, for eyes only: the text beside it says the same. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <path d={PATHS[name]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

/** The mark of Bearing. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M16 5l5.5 11L16 27l-5.5-11z" fill="var(--on-accent)" opacity="0.4" />
      <path d="M16 5l5.5 11h-11z" fill="var(--on-accent)" />
      <circle cx="16" cy="16" r="2.2" fill="var(--accent)" />
    </svg>
  )
}
