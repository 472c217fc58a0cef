export { type Action, actionsOf } from './actions.ts'
export { type AnswerService, answerService } from './service.ts'
