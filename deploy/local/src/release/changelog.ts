const UNRELEASED = '## Unreleased\n'
const SECTION = /^## (.+)$/gm

/** A section of the changelog. */
export interface Section {
  /** `Unreleased`, or a version and its date: `0.2.0 (2026-12-01)`. */
  readonly title: string
  readonly text: string
}

/** Returns the sections of the changelog, newest first. */
export function sectionsOf(changelog: string): Section[] {
  const starts = [...changelog.matchAll(SECTION)]
  return starts.map(({ 0: line, 1: title = '', index }, position) => ({
    title,
    text: changelog.slice(index + line.length, starts[position + 1]?.index).trim(),
  }))
}

/**
 * Returns the changelog with a version and date above what was unreleased.
 *
 * @param date as `2026-12-01`
 * @throws Error if nothing is unreleased, or the version is there already
 */
export function withRelease(changelog: string, version: string, date: string): string {
  const [first, ...others] = sectionsOf(changelog)
  if (first?.title !== 'Unreleased' || first.text === '')
    throw new Error('CHANGELOG.md has nothing under "Unreleased".')
  if (others.some(({ title }) => title.startsWith(`${version} `)))
    throw new Error(`CHANGELOG.md already has a section of ${version}.`)
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${date})\n`)
}

/**
 * Returns the notes of a version, for its users.
 *
 * @throws Error if the changelog has no section of it
 */
export function notesOf(changelog: string, version: string): string {
  const section = sectionsOf(changelog).find(({ title }) => title.startsWith(`${version} (`))
  if (!section)
    throw new Error(`CHANGELOG.md has no section of ${version}: run "npx pnpm release:version ${version}".`)
  return section.text
}
