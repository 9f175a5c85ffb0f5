import { writeCell } from '@bearing/contracts/text/write-cell'
import { sanitize, toJson } from './sanitize.js'

/** Formats of results: a table for people, and documents for programs. */
export const FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const
export type Format = (typeof FORMATS)[number]
export type DocumentFormat = Exclude<Format, 'table'>

/** Returns the format of this name; undefined if there is none. */
export function formatOf(name: string | undefined): Format | undefined {
  return FORMATS.find((format) => format === name)
}

/**
 * Formats a value as a document. Characters that a terminal would interpret are escaped.
 *
 * @param value a result of the API: `ndjson` has a line, and `csv` a row, for each item of an array; for another value one
 * @returns the text without the end of its last line; empty for no lines
 */
export function documentText(value: unknown, format: DocumentFormat): string {
  switch (format) {
    case 'json':
      return toJson(value)
    case 'ndjson':
      return itemsOf(value).map(jsonLine).join('\n')
    case 'csv':
      return csv(itemsOf(value))
    case 'yaml':
      return yaml(plain(value))
  }
}

/** Formats a value as one line of JSON. */
export function jsonLine(value: unknown): string {
  return sanitize(JSON.stringify(value))
}

/** Returns the items of a list; another value is one item. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Comma-separated values (RFC 4180), the names of all fields first. Lists and objects are JSON in their cell. Text that a
 * spreadsheet would run as a formula gets an apostrophe: devices choose some of it.
 */
function csv(items: readonly unknown[]): string {
  if (items.length === 0) return ''
  const rows = items.map((item): Fields => (isFields(item) ? item : { value: item }))
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => names.map((name) => cellOf(row[name])).join())
  return [names.join(), ...lines].join('\n')
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string'
    ? writeCell(sanitize(value), true)
    : writeCell(sanitize(JSON.stringify(value)), false)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns what JSON would keep of a value: no undefined fields. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown // JSON of any kind
}

/** YAML 1.2 of plain data. Text that is not plainly a word is quoted as in JSON, which YAML contains. */
function yaml(value: unknown, indent = ''): string {
  const entries = Array.isArray(value)
    ? value.map((item: unknown): [string, unknown] => ['-', item])
    : isFields(value)
      ? Object.entries(value).map(([name, item]): [string, unknown] => [`${yamlText(name)}:`, item])
      : []
  if (entries.length === 0) return scalar(value)
  return entries
    .map(([start, item]) => `${indent}${start}${yamlBelow(item, start === '-', indent)}`)
    .join('\n')
}

/** A value after `-` or `name:`; one with parts of its own is indented below it. */
function yamlBelow(value: unknown, isItem: boolean, indent: string): string {
  const isNested = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isNested) return ` ${scalar(value)}`
  const nested = yaml(value, `${indent}  `)
  return isItem ? ` ${nested.slice(indent.length + 2)}` : `\n${nested}`
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? yamlText(value) : JSON.stringify(value)
}

function yamlText(text: string): string {
  const isWord = /^[A-Za-z][\w./@-]*(?: [\w./@-]+)*$/.test(text)
  const isReserved = /^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text)
  return isWord && !isReserved ? text : sanitize(JSON.stringify(text))
}
