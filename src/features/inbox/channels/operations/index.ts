import { create, list, remove, test, update } from './channels.ts'
import { getSettings, updateSettings } from './notification-settings.ts'

export const operations = [list, create, update, remove, test, getSettings, updateSettings] as const
