import { board } from './board.ts'
import { boardDetails } from './board-details.ts'
import { create, manifest } from './create.ts'
import { exportTasks } from './export.ts'
import { getInstructions, getPlaybook, setInstructions, setPlaybook } from './guidance.ts'
import { restore as restoreGuidance } from './guidance-restore.ts'
import { get as getGuidanceVersion, list as listGuidanceVersions } from './guidance-versions.ts'
import { inviteMember } from './invite-member.ts'
import { getLimits, setLimits } from './limits.ts'
import { list } from './list.ts'
import { listBoardMembers } from './members.ts'
import { removeFromBoard } from './remove-member.ts'
import { archive, rename, update } from './settings.ts'

export const operations = [
  list,
  rename,
  update,
  archive,
  getLimits,
  setLimits,
  getPlaybook,
  setPlaybook,
  getInstructions,
  setInstructions,
  listGuidanceVersions,
  getGuidanceVersion,
  restoreGuidance,
  create,
  manifest,
  board,
  boardDetails,
  exportTasks,
  listBoardMembers,
  removeFromBoard,
  inviteMember,
] as const
