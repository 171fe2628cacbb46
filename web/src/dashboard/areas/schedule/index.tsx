/** The schedule of a contest, or with a code the groups of one round. */
import { useParams } from 'wouter';
import { Loaded } from '../../parts/loaded.js';
import { useContest } from '../contests/use-contest.js';
import { Groups } from './groups.js';
import { Plan } from './plan.js';
import { useSchedule } from './use-schedule.js';
import './schedule.css';

const ScheduleTab = () => {
  const { competitionId = '', code } = useParams<{ competitionId?: string; code?: string }>();
  const { data: contest } = useContest(competitionId);
  const read = useSchedule(competitionId);
  if (!contest) return null;
  return (
    <Loaded read={read}>
      {(schedule) =>
        code === undefined ? (
          <Plan contest={contest} schedule={schedule} />
        ) : (
          <Groups contest={contest} code={code} schedule={schedule} />
        )
      }
    </Loaded>
  );
};

export default ScheduleTab;
