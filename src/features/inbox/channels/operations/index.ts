import { create, list, remove, rotate, test, update } from './channels.ts'
import { getSettings, updateSettings } from './notification-settings.ts'

export const operations = [
  ...[list, create, update, rotate, remove, test],
  ...[getSettings, updateSettings],
] as const
