import { assignAccount, claimAccount, listAccounts, listOwn, removeAccount } from './accounts.ts'
import { beginApp, createApp } from './github-app.ts'
import { create, list, remove, update } from './hosts.ts'

export const operations = [
  ...([list, create, update, remove] as const),
  ...([beginApp, createApp] as const),
  ...([listAccounts, assignAccount, removeAccount, listOwn, claimAccount] as const),
] as const
