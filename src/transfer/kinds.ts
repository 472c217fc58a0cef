import { agentLines } from '../features/agents/agents/model/index.ts'
import { skillLines } from '../features/agents/skills/model/index.ts'
import { fieldPart } from '../features/boards/custom_fields/model/index.ts'
import { labelPart } from '../features/boards/labels/model/index.ts'
import { boardLinesWith } from '../features/boards/projects/model/index.ts'
import { ruleLines } from '../features/boards/rules/model/index.ts'
import { sectionPart } from '../features/boards/sections/model/index.ts'
import { templateLines } from '../features/boards/templates/model/index.ts'
import { commentLines } from '../features/conversation/comments/model/index.ts'
import { decisionLines } from '../features/conversation/decision_requests/model/index.ts'
import { escalationLines } from '../features/conversation/escalations/model/index.ts'
import { evidenceLines } from '../features/conversation/evidence/model/index.ts'
import { personLines, teamLines } from '../features/identity/teams/model/index.ts'
import { myViewLines } from '../features/inbox/my_tasks/model/index.ts'
import { pageLines, pageVersionLines } from '../features/pages/pages/model/index.ts'
import { reportLines } from '../features/reports/reports/model/index.ts'
import { versionLines } from '../features/tasks/descriptions/model/index.ts'
import { relationLines, taskLines } from '../features/tasks/edits/model/index.ts'
import { attachmentLines, fileLines } from '../features/tasks/files/model/index.ts'
import { pullRequestLines } from '../features/tasks/pull_requests/model/index.ts'
import { timeEntryLines } from '../features/time/time/model/index.ts'
import type { ChildLines, LineKind, TeamLines } from '../store/portability/index.ts'

export const FORMAT = 'corkboard-team'
export const VERSION = 1

/*
 * The kinds of lines in the order in which they come in a file. A test finds exported tables that
 * none of them carries.
 */
const boardLines = boardLinesWith([sectionPart, labelPart, fieldPart])
export const linesBeforeTasks: readonly TeamLines[] = [
  ...[
    teamLines,
    personLines,
    agentLines,
    boardLines,
    reportLines,
    templateLines,
    ruleLines,
    skillLines,
  ],
] as readonly unknown[] as TeamLines[]
export const childLines: readonly ChildLines[] = [
  ...[versionLines, commentLines, attachmentLines, decisionLines, pullRequestLines],
  ...[evidenceLines, escalationLines, pageLines, pageVersionLines, timeEntryLines],
] as readonly unknown[] as ChildLines[]
export const linesAfterTasks: readonly TeamLines[] = [
  ...[relationLines, myViewLines, fileLines],
] as readonly unknown[] as TeamLines[]

export const KINDS: readonly LineKind[] = [
  ...linesBeforeTasks,
  taskLines as unknown as LineKind,
  ...childLines,
  ...linesAfterTasks,
]
const byKind = new Map(KINDS.map((lines) => [lines.kind, lines]))
export const linesOf = (kind: string): LineKind | undefined => byKind.get(kind)
