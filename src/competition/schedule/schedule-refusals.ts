/** What decisions on a schedule come to, and the refusals that several of them give. */
import { type Decision, reject } from '../../domain/decider.js';
import type { RejectionCode } from '../../domain/rejections.js';
import type { ScheduleEvent } from './schedule.events.js';

export type ScheduleDecision = Decision<ScheduleEvent>;

export const refuse = (code: RejectionCode, detail: string): ScheduleDecision => reject({ code, detail });

export const tooMany = (what: string, most: number): ScheduleDecision =>
  refuse('schedule', `a schedule has at most ${most} ${what}`);

export const roomNotFound = (roomId: number): ScheduleDecision =>
  refuse('room-not-found', `there is no room ${roomId}`);

export const activityNotFound = (activityId: number): ScheduleDecision =>
  refuse('activity-not-found', `there is no activity ${activityId}`);
