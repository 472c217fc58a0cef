import type { CommandIO } from '../surfaces/cli/io.ts'
import type { Command } from './command.ts'

/**
 * The commands that work on this machine's own data, by their full names. Each loads its module
 * only when it runs, so that a small command does not wait for the imports of a large one.
 */
export const local: Record<string, (io: CommandIO) => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serve,
  init: async () => (await import('./init.ts')).init,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  export: async (io) => (await import('./export.ts')).exportCommand(io),
  import: async (io) => (await import('./import.ts')).importCommand(io),
  sync: async (io) => (await import('./sync.ts')).syncCommand(io),
  doctor: async () => (await import('./doctor.ts')).doctor,
  health: async () => (await import('./health.ts')).health,
  service: async () => (await import('./service/index.ts')).service,
  reindex: async () => (await import('./reindex.ts')).reindex,
  config: async () => (await import('./config.ts')).config,
  'docs export': async () => (await import('./docs.ts')).exportDocs,
  upgrade: async () => (await import('./upgrade/index.ts')).upgrade,
  licenses: async () => (await import('./licenses.ts')).licenses,
  'user add': async () => (await import('./user.ts')).add,
  'user list': async () => (await import('./user.ts')).list,
  'user password': async () => (await import('./user.ts')).password,
  'user recover': async () => (await import('./user.ts')).recover,
  'user deactivate': async () => (await import('./user.ts')).deactivateCommand,
  'user erase': async () => (await import('./user.ts')).erase,
  'user reactivate': async () => (await import('./user.ts')).reactivateCommand,
  'user reset-factors': async () => (await import('./user.ts')).resetFactorsCommand,
  'user role': async () => (await import('./user.ts')).role,
  'agent list': async () => (await import('./agent.ts')).list,
  'agent create': async () => (await import('./agent.ts')).create,
  'agent revoke': async () => (await import('./agent.ts')).revoke,
  'agent enable': async () => (await import('./agent.ts')).enable,
  'token list': async () => (await import('./token.ts')).list,
  'token create': async () => (await import('./token.ts')).create,
  'token revoke': async () => (await import('./token.ts')).revoke,
}

/** The commands for coding agents, by their full names. They start as fast as the local ones. */
export const forAgents: Record<string, () => Promise<(io: CommandIO) => Command>> = {
  mcp: async () => (await import('./mcp.ts')).mcp,
  prime: async () => (await import('../surfaces/cli/coding-agents/prime.ts')).prime,
  'agents setup': async () => (await import('../surfaces/cli/coding-agents/setup.ts')).setup,
  'agents instructions': async () =>
    (await import('../surfaces/cli/coding-agents/instructions.ts')).instructions,
}
