import { create, list } from './custom-fields.ts'
import { removeField, updateField } from './definitions.ts'
import { setField } from './set.ts'

export const operations = [setField, updateField, removeField, list, create] as const
