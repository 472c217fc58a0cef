import { assignAccount, listAccounts } from './accounts.ts'
import { create, list, remove, update } from './hosts.ts'

export const operations = [list, create, update, remove, listAccounts, assignAccount] as const
