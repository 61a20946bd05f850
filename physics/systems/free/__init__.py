"""Free bodies: rotation without torque, and the rotation of a body in general."""
