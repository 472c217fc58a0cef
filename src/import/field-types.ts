import { isRealDate } from './dates.ts'
import { foldName } from './fold.ts'
import { type CustomField, FIELD_TYPES } from './record.ts'

export type FieldType = CustomField['type']
export type FieldValue = string | number | boolean

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

const FITS: Record<FieldType, (value: FieldValue, options: ReadonlySet<string>) => boolean> = {
  number: (value) =>
    typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value.trim())),
  text: () => true,
  select: (value, options) => options.has(foldName(String(value))),
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)) && isRealDate(String(value)),
  checkbox: (value) => typeof value === 'boolean' || value === 'true' || value === 'false',
  url: (value) =>
    typeof value === 'string' &&
    /^https?:\/\//i.test(value) &&
    value.length <= 2000 &&
    URL.canParse(value),
}

/** Finds the types that a field can have without losing one of its values. */
export class FittingTypes {
  private readonly options: ReadonlySet<string>
  private types: FieldType[]

  constructor({ options = [] }: Pick<CustomField, 'options'>) {
    this.options = new Set(options.map(foldName))
    this.types = FIELD_TYPES.filter((type) => type !== 'select' || options.length)
  }

  add(value: FieldValue): void {
    if (!this.types.every((type) => FITS[type](value, this.options)))
      this.types = this.types.filter((type) => FITS[type](value, this.options))
  }

  get all(): FieldType[] {
    return [...this.types]
  }
}

/** The value as a field of this type takes it. The type must be one that fits. */
export function convertValue(value: FieldValue, type: FieldType): FieldValue {
  if (type === 'number') return Number(value)
  if (type === 'checkbox') return String(value) === 'true'
  return String(value)
}
