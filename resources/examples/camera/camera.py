#!/usr/bin/python3
"""Finds faces in the pictures of a camera and posts them to robotd: an example of a vision process.

It reads from /v1/state what the robot wants to be looked for, and how often, and posts what it finds to /v1/detections. Each picture is
one request of each kind, at most --rate times a second; nothing is queued. While nothing is wanted, the camera is closed. It needs
Debian's packages python3-opencv and opencv-data. README.md beside this file tells more.
"""

import argparse
import glob
import http.client
import json
import math
import os
import signal
import sys
import time

try:
    import cv2
except ImportError:
    sys.exit("camera: the Python module cv2 is missing; Debian has it in python3-opencv")

# How often a second a mode runs. "High" is every picture, which --rate limits.
FREQUENCIES = {"Never": 0.0, "Low": 2.0, "Standard": 5.0, "High": math.inf}
MODES = ("Faces", "Gaze", "Illumination")  # what this program can look for
PICTURES = (".jpg", ".jpeg", ".png", ".pgm", ".ppm", ".bmp", ".webp")
IDLE_S = 1.0  # between two looks at the state while nothing is wanted
RETRY_S = (0.5, 5.0)  # after the first and after many failures
ANSWER_S = 3.0  # an answer that takes longer is none
WIDTH_PX = 640  # the detector sees no larger pictures
SAME_S = 5.0  # a face that was away for less is the same one


class Stopped(Exception):
    """Somebody ends this program."""


class Trouble(Exception):
    """Something that may go away by itself: no daemon, no camera."""


class Log:
    """Says what is new and keeps quiet about what was said just before."""

    last = None

    def say(self, text):
        if text != self.last:
            print("camera:", text, file=sys.stderr, flush=True)
        self.last = text


class Robot:
    """The daemon, over one connection that is opened again when it was lost."""

    def __init__(self, address):
        self.address = address
        self.connection = None

    def ask(self, method, path, body=None):
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.address, timeout=ANSWER_S)
            headers = {"Content-Type": "application/json"} if body else {}
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            status, text = answer.status, answer.read()
            value = json.loads(text)
        except (OSError, http.client.HTTPException, ValueError) as e:
            self.close()
            raise Trouble(f"no robotd at {self.address}: {e}") from e
        if status != http.client.OK:
            reason = value.get("error", "") if isinstance(value, dict) else ""
            raise Trouble(f"robotd refuses {path}: {status} {reason}")
        return value

    def wanted(self):
        """Which modes are wanted how often a second, and the angle of the head."""
        state = self.ask("GET", "/v1/state")
        try:
            modes = {v["mode"]: FREQUENCIES.get(v["frequency"], 0.0) for v in state["services"]["vision"]}
            return {m: modes.get(m, 0.0) for m in MODES}, state["body"].get("head_rad") or 0.0
        except (KeyError, TypeError, AttributeError) as e:
            raise Trouble(f"what answers at {self.address} is no robotd: its /v1/state lacks {e}") from e

    def post(self, detections):
        self.ask("POST", "/v1/detections", json.dumps(detections))

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


class Folder:
    """Recorded pictures, by name."""

    def __init__(self, path, loop):
        self.names = sorted(n for n in glob.glob(os.path.join(glob.escape(path), "*")) if n.lower().endswith(PICTURES))
        if not self.names:
            sys.exit(f"camera: --source {path}: no picture ({' '.join(PICTURES)}) is in this folder")
        self.loop, self.at = loop, 0

    def read(self):
        """The next picture and when it was taken; None at the end."""
        if self.at == len(self.names):
            if not self.loop:
                return None
            self.at = 0
        name = self.names[self.at]
        self.at += 1
        picture = cv2.imread(name)
        if picture is None:
            sys.exit(f"camera: {name} is no picture that OpenCV can read")
        return picture, time.monotonic()

    def close(self):
        """Goes on with the next picture when it is wanted again."""


class Video:
    """A camera, or a recorded video at its own speed."""

    def __init__(self, path, loop):
        self.path, self.loop, self.capture = path, loop, None
        self.live = not os.path.isfile(path)

    def open(self):
        self.capture = cv2.VideoCapture(self.path, cv2.CAP_V4L2 if self.live else cv2.CAP_ANY)
        if not self.capture.isOpened():
            self.close()
            raise Trouble(f"{self.path} gives no pictures: not there, held by another program, or not permitted (group video)")
        self.began, self.frame = time.monotonic(), 0
        self.fps = self.capture.get(cv2.CAP_PROP_FPS) or 25.0

    def read(self):
        if self.capture is None:
            self.open()
        if not (self.grab_newest() if self.live else self.grab_due()):
            self.close()
            if self.live:
                raise Trouble(f"{self.path} gives no more pictures")
            return self.read() if self.loop and self.frame > 0 else None
        taken = time.monotonic()
        ok, picture = self.capture.retrieve()
        if not ok:
            self.close()
            raise Trouble(f"{self.path} gives a broken picture")
        return picture, taken

    def grab_newest(self):
        """The driver keeps some old pictures; one that had to be waited for is new."""
        for _ in range(10):
            begin = time.monotonic()
            if not self.capture.grab():
                return False
            if time.monotonic() - begin > 0.004:
                break
        return True

    def grab_due(self):
        due = int((time.monotonic() - self.began) * self.fps) + 1
        while self.frame < due:
            if not self.capture.grab():
                return False
            self.frame += 1
        return True

    def close(self):
        if self.capture is not None:
            self.capture.release()
        self.capture = None


class Faces:
    """Keeps the number of a face from picture to picture: the nearest one has it. Nobody is recognized."""

    def __init__(self):
        self.known, self.newest = {}, 0  # number: bearing, elevation, time

    def number(self, faces, now):
        self.known = {n: k for n, k in self.known.items() if now - k[2] < SAME_S}
        pairs = sorted(
            (math.hypot(f["bearing_rad"] - k[0], f["elevation_rad"] - k[1]), i, n)
            for i, f in enumerate(faces)
            for n, k in self.known.items()
        )
        for _, i, n in pairs:
            if "id" not in faces[i] and all(f.get("id") != n for f in faces):
                faces[i]["id"] = n
        for f in faces:
            if "id" not in f:
                self.newest += 1
                f["id"] = self.newest
            self.known[f["id"]] = (f["bearing_rad"], f["elevation_rad"], now)


class Eyes:
    """The detectors, and the geometry of the camera: a pinhole in the middle of the robot's head."""

    def __init__(self, args):
        self.args = args
        self.face = cascade(args.cascades, "haarcascade_frontalface_alt2.xml")
        self.eye = cascade(args.cascades, "haarcascade_eye.xml")
        self.even = cv2.createCLAHE(2.0, (8, 8))  # by parts: a window behind a person does not darken the face
        self.faces = Faces()
        self.light = "Unknown"

    def look(self, picture, wanted, head):
        """What is found in a picture by the wanted modes, in the words of /v1/detections."""
        height, width = picture.shape[:2]
        if width > WIDTH_PX:
            picture = cv2.resize(picture, (WIDTH_PX, round(height * WIDTH_PX / width)), interpolation=cv2.INTER_AREA)
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        found = {}
        if wanted["Faces"] or wanted["Gaze"]:
            found["faces"] = self.find(gray, wanted["Gaze"] > 0, head)
        if wanted["Illumination"]:
            found["light"] = self.illumination(float(gray.mean()))
        return found

    def find(self, gray, gaze, head):
        even = self.even.apply(gray)
        faces = []
        for box in self.face.detectMultiScale(even, scaleFactor=1.1, minNeighbors=5, minSize=(24, 24)):
            face = self.place(*(int(v) for v in box), gray.shape[1], gray.shape[0], head)
            if gaze:
                face["eye_contact"] = self.looks_here(even, *box)
            faces.append(face)
        self.faces.number(faces, time.monotonic())
        return faces

    def place(self, x, y, w, h, width, height, head):
        """Where a face stands: to the left is positive, as is up; the distance follows from its width in the picture."""
        focal = width / 2 / math.tan(math.radians(self.args.fov) / 2)
        left, up = width / 2 - (x + w / 2), height / 2 - (y + h / 2)
        tilt = math.radians(self.args.tilt) + (0.0 if self.args.fixed else head)
        forward, rise = focal * math.cos(tilt) - up * math.sin(tilt), focal * math.sin(tilt) + up * math.cos(tilt)
        ground = math.hypot(forward, left)
        return {
            "distance_mm": self.args.face_mm / w * ground,
            "bearing_rad": math.atan2(left, forward),
            "elevation_rad": math.atan2(rise, ground),
        }

    def looks_here(self, gray, x, y, w, h):
        """A frontal face with two eyes open looks about here."""
        upper = gray[y + h // 8 : y + h * 5 // 8, x : x + w]
        return len(self.eye.detectMultiScale(upper, scaleFactor=1.05, minNeighbors=3, minSize=(w // 8, w // 8))) >= 2

    def illumination(self, mean):
        if mean < 35:
            self.light = "Darkened"
        elif mean > 50 or self.light == "Unknown":
            self.light = "Illuminated"
        return self.light


def cascade(folder, name):
    path = os.path.join(folder, name)
    if not os.path.isfile(path):
        sys.exit(f"camera: --cascades {folder}: {name} is not there; Debian has it in opencv-data")
    return cv2.CascadeClassifier(path)


def between(lo, hi, unit):
    def number(text):
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not lo <= value <= hi:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {lo:g} to {hi:g}{unit}")
        return value

    return number


def arguments():
    p = argparse.ArgumentParser(prog="camera", description="Finds faces in the pictures of a camera and posts them to robotd.")
    p.add_argument("--source", default="/dev/video0", help="a camera, a video, or a folder with pictures (%(default)s)")
    p.add_argument("--robot", default="127.0.0.1:8420", metavar="HOST:PORT", help="where robotd listens (%(default)s)")
    p.add_argument("--name", default="camera", help="source of the detections; a second camera needs another one (%(default)s)")
    p.add_argument("--fov", type=between(10, 170, " degrees"), default=62.2, help="horizontal field of view in degrees (%(default)s)")
    p.add_argument("--tilt", type=between(-90, 90, " degrees"), default=0.0, help="how far the camera looks up when the head is level")
    p.add_argument("--fixed", action="store_true", help="the camera sits on the body and does not move with the head")
    p.add_argument("--face-mm", type=between(50, 300, " mm"), default=165.0, help="how wide the detector's box is on a face (%(default)s)")
    p.add_argument("--rate", type=between(0.1, 30, " pictures a second"), default=10.0, help="most pictures a second (%(default)s)")
    p.add_argument("--loop", action="store_true", help="begin recorded pictures again at their end")
    p.add_argument("--print", action="store_true", dest="dry", help="print what every picture shows; no robot is needed")
    p.add_argument("--cascades", default="/usr/share/opencv4/haarcascades", help="folder of the detectors (%(default)s)")
    args = p.parse_args()
    if args.source.isdigit():
        args.source = "/dev/video" + args.source
    if not os.path.exists(args.source) and not args.source.startswith("/dev/"):
        p.error(f"argument --source: there is no {args.source}; a camera (/dev/video0), a video or a folder is expected")
    try:
        http.client.HTTPConnection(args.robot)
    except http.client.InvalidURL:
        p.error(f"argument --robot: {args.robot!r} is no address; one like 127.0.0.1:8420 is expected")
    return args


def describe(args, source, eyes):
    """Prints what every picture shows. For calibration: hold a tape measure."""
    wanted = dict.fromkeys(MODES, math.inf)
    while (got := source.read()) is not None:
        print(json.dumps(eyes.look(got[0], wanted, 0.0)), flush=True)
        time.sleep(0 if os.path.isdir(args.source) else 1 / args.rate)


def serve(args, robot, source, eyes, log):
    """Looks as often as is wanted, until recorded pictures end."""
    retry = RETRY_S[0]
    while True:
        begin = time.monotonic()
        try:
            wanted, head = robot.wanted()
            rate = min(max(wanted.values()), args.rate)
            if rate == 0:
                source.close()
                pause = IDLE_S
            else:
                got = source.read()
                if got is None:
                    log.say("the recorded pictures end")
                    return
                found = eyes.look(got[0], wanted, head)
                found["age_ms"] = 1000 * (time.monotonic() - got[1])
                robot.post({"source": args.name, **found})
                pause = 1 / rate
            log.say("nothing is wanted" if rate == 0 else f"looks into {args.source} for {args.robot}")
            retry = RETRY_S[0]
        except Trouble as e:
            log.say(str(e))
            pause, retry = retry, min(2 * retry, RETRY_S[1])
        time.sleep(max(0.0, begin + pause - time.monotonic()))


def stop(*_):
    raise Stopped


def main():
    args, log = arguments(), Log()
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    cv2.setNumThreads(1)  # the robot's own threads come first
    eyes = Eyes(args)
    source = (Folder if os.path.isdir(args.source) else Video)(args.source, args.loop)
    robot = Robot(args.robot)
    try:
        if args.dry:
            describe(args, source, eyes)
        else:
            serve(args, robot, source, eyes, log)
    except Stopped:
        pass
    except Trouble as e:  # --print waits for nothing
        sys.exit(f"camera: {e}")
    finally:
        source.close()
        robot.close()


if __name__ == "__main__":
    main()
