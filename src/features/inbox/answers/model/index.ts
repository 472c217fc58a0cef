export { type Action, actionsOf } from './actions.ts'
export { answerService } from './service.ts'
