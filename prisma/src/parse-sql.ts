import { parse, type Node } from 'libpg-query'

// The parser of Postgres itself, for tests that read SQL: the lint of migrations, and that of statements of hot paths.

/** One statement of a script. */
export interface Statement {
  /** One property: the kind as key, such as `AlterTableStmt`, and its content. */
  readonly node: Node
  /** Without comments before it, and without the semicolon. */
  readonly text: string
  /** Line that it starts on, from 1. */
  readonly line: number
}

const BEFORE = /^(?:\s|--.*(?:\n|$)|\/\*[\s\S]*?\*\/)+/

/**
 * Parses a script as Postgres 18 does.
 *
 * @throws where its syntax is wrong, with what Postgres says
 */
export async function parseSql(sql: string): Promise<Statement[]> {
  const { stmts = [] } = await parse(sql)
  // Positions count bytes.
  const bytes = Buffer.from(sql)
  return stmts.flatMap(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
    if (stmt === undefined) return []
    const whole = bytes.subarray(start, length === undefined ? undefined : start + length).toString()
    const text = whole.replace(BEFORE, '')
    const before = bytes.subarray(0, start).toString() + whole.slice(0, whole.length - text.length)
    return [{ node: stmt, text: text.trimEnd(), line: before.split('\n').length }]
  })
}

/** Calls `visit` for a part of a statement and everything in it: the key, such as `FuncCall`, and the content. */
export function walkSql(part: unknown, visit: (kind: string, content: unknown) => void): void {
  if (typeof part !== 'object' || part === null) return
  for (const [kind, content] of Object.entries(part)) {
    if (!Array.isArray(part)) visit(kind, content)
    walkSql(content, visit)
  }
}
