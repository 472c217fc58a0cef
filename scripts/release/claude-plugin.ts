import pkg from '../../package.json' with { type: 'json' }
import { agentInstructions } from '../../src/surfaces/cli/coding-agents/instructions.ts'
import { jsonFile, textFile, zip } from './zip.ts'

const DESCRIPTION = 'Take tasks from Corkboard, record the work and hand it over'
const SKILL = `---
name: corkboard
description: Takes tasks from the Corkboard task board, records progress and hands work over. Use when the user mentions a task, a ticket, a key such as HOM-12, the board, or asks what to work on next.
---

`

/**
 * The plugin for Claude Code: the tools, a skill, and the context at the start of each session. Its
 * folder is also a marketplace, so that it can be installed from a download.
 */
export function claudePlugin(): Uint8Array {
  const { name, version, license } = pkg
  const author = { name: 'Corkboard' }
  const about = { name, description: DESCRIPTION, version }
  return zip({
    'corkboard/.claude-plugin/plugin.json': jsonFile({ ...about, author, license }),
    'corkboard/.claude-plugin/marketplace.json': jsonFile({
      name,
      owner: author,
      plugins: [{ ...about, source: './' }],
    }),
    'corkboard/.mcp.json': jsonFile({ mcpServers: { [name]: { command: 'cork', args: ['mcp'] } } }),
    'corkboard/hooks/hooks.json': jsonFile({
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'cork prime' }] }] },
    }),
    'corkboard/skills/corkboard/SKILL.md': textFile(`${SKILL}${agentInstructions({})}\n`),
  })
}
